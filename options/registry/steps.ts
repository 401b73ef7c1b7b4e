/** Written by `npm run build` from the folders of the options: do not edit. */
import { steps as draw } from '../draw/functions/steps.ts'
import { steps as events } from '../events/functions/steps.ts'
import { steps as reminders } from '../reminders/functions/steps.ts'

export const steps = { draw, events, reminders }
