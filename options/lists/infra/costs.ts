/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/infra/costs.ts'
import * as events from '../../events/infra/costs.ts'

export const messageCosts = [...events.messageCosts] as const
export const alarmedMetrics = [...draw.alarmedMetrics, ...events.alarmedMetrics] as const
