/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../../draw/static/client/sale-parts.tsx'
import * as reminders from '../../../reminders/static/client/sale-parts.tsx'

export const saleParts = /* @__PURE__ */ (() => ([...draw.saleParts, ...reminders.saleParts] as const))()
