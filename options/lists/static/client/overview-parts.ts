/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../../reminders/static/client/overview-parts.tsx'

export const overviewParts = [...reminders.overviewParts] as const
