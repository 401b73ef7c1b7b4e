/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/static/page-parts.ts'
import * as reminders from '../../reminders/static/page-parts.ts'

export const pageParts = /* @__PURE__ */ (() => ([...draw.pageParts, ...reminders.pageParts] as const))()
