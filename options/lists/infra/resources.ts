/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../events/infra/resources.ts'

export const resources = [...events.resources] as const
