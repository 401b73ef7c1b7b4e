/** Written by `npm run build` from the folders of the options: do not edit. */
import { people as draw } from '../draw/functions/people.ts'
import { people as reminders } from '../reminders/functions/people.ts'

export const people = { draw, reminders }
