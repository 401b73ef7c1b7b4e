/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../reminders/core/answers.ts'

export const controlAnswers = { ...reminders.controlAnswers } as const
