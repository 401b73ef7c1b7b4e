/** Written by `npm run build` from the folders of the options: do not edit. */
import * as reminders from '../../reminders/static/site.ts'

export const site = [...reminders.site] as const
export const operationTexts = { ...reminders.operationTexts } as const
