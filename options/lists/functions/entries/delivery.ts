/** Written by `npm run build` from the folders of the options: do not edit. */
import * as events from '../../../events/functions/entries/delivery.ts'

export const personalRoutes = [...events.personalRoutes] as const
