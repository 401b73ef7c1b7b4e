/** Written by `npm run build` from the folders of the options: do not edit. */
import { operations as draw } from '../draw/core/operations.ts'
import { operations as events } from '../events/core/operations.ts'
import { operations as reminders } from '../reminders/core/operations.ts'

export const operations = { draw, events, reminders }
