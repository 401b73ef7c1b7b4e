/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/core/refusals.ts'
import * as events from '../../events/core/refusals.ts'

export const refusals = { ...draw.refusals, ...events.refusals } as const
