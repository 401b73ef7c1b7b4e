/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../reminders/core/operations.ts'

export const operations = { ...reminders.operations } as const
export const controlOperations = { ...reminders.controlOperations } as const
