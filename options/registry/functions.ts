/** Written by `npm run build` from the folders of the options: do not edit. */
import { functions as draw } from '../draw/system/functions.ts'
import { functions as events } from '../events/system/functions.ts'
import { functions as reminders } from '../reminders/system/functions.ts'

export const functions = { draw, events, reminders }
