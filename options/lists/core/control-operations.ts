/** Written by `npm run build` from the folders of the options: do not edit. */
import { controlOperations as reminders } from '../../reminders/core/control-operations.ts'

export const controlOperations = { ...reminders } as const
