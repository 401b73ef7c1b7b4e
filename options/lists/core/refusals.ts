/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../events/core/refusals.ts'

export const refusals = { ...events.refusals } as const
