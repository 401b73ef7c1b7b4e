/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../../events/test/infra/stage.ts'

export const everything = { ...events.everything } as const
