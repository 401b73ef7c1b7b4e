/** Written by `npm run build` from the folders of the options: do not edit. */
import { overviewParts as reminders } from '../../reminders/static/overview-parts.tsx'

export const overviewParts = [...reminders] as const
