/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../events/infra/costs.ts'

export const messageCosts = [...events.messageCosts] as const
