/** Written by `npm run build` from the folders of the options: do not edit. */
import { operations as reminders } from '../../reminders/core/operations.ts'

export const operations = { ...reminders } as const
