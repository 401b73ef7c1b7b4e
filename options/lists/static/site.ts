/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/static/site.ts'
import * as events from '../../events/static/site.ts'
import * as reminders from '../../reminders/static/site.ts'

export const site = [...draw.site, ...reminders.site] as const
export const operationTexts = { ...draw.operationTexts, ...events.operationTexts, ...reminders.operationTexts } as const
export const webhooks = { ...events.webhooks } as const
export const webhookTags = { ...events.webhookTags } as const
