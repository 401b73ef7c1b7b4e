/** Written by `npm run build` from the folders of the options: do not edit. */
import { pageParts as draw } from '../draw/static/page-parts.ts'
import { pageParts as reminders } from '../reminders/static/page-parts.ts'

export const pageParts = { draw, reminders }
