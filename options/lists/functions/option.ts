/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/functions/option.ts'
import * as events from '../../events/functions/option.ts'
import * as reminders from '../../reminders/functions/option.ts'

export const items = /* @__PURE__ */ (() => ([...draw.items, ...reminders.items] as const))()
export const effects = /* @__PURE__ */ (() => ([...draw.effects] as const))()
export const mails = /* @__PURE__ */ (() => ([...draw.mails, ...reminders.mails] as const))()
export const scheduled = /* @__PURE__ */ (() => ([...events.scheduled, ...reminders.scheduled] as const))()
