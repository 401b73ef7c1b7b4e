/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/functions/metrics.ts'
import * as events from '../../events/functions/metrics.ts'

export const metrics = { ...draw.metrics, ...events.metrics } as const
export const redisCallers = [...draw.redisCallers] as const
