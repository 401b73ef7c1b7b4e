/** Written by `npm run build` from the folders of the options: do not edit. */
import { tableRights as reminders } from '../../reminders/system/table-rights.ts'

export const tableRights = [...reminders] as const
