/** Written by `npm run build` from the folders of the options: do not edit. */
import { controlAnswers as reminders } from '../../reminders/core/control-answers.ts'

export const controlAnswers = { ...reminders } as const
