/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../events/functions/metrics.ts'

export const metrics = { ...events.metrics } as const
