/** Written by `npm run build` from the folders of the options: do not edit. */
import { paths as reminders } from '../../reminders/core/paths.ts'

export const paths = [...reminders] as const
