/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/infra/resources.ts'
import * as events from '../../events/infra/resources.ts'

export const resources = [...draw.resources, ...events.resources] as const
