/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/static/site.ts'
import * as events from '../../events/static/site.ts'
import * as reminders from '../../reminders/static/site.ts'

export const site = /* @__PURE__ */ (() => ([...draw.site, ...reminders.site] as const))()
export const operationTexts = /* @__PURE__ */ (() => ({...draw.operationTexts, ...events.operationTexts, ...reminders.operationTexts} as const))()
export const webhooks = /* @__PURE__ */ (() => ({...events.webhooks} as const))()
export const webhookTags = /* @__PURE__ */ (() => ({...events.webhookTags} as const))()
