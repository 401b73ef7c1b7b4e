/** Written by `npm run build` from the folders of the options: do not edit. */
import { operationTexts as reminders } from '../../reminders/static/operation-texts.ts'

export const operationTexts = { ...reminders } as const
