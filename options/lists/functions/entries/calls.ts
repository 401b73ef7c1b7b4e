/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../../draw/functions/entries/calls.ts'
import * as events from '../../../events/functions/entries/calls.ts'
import * as reminders from '../../../reminders/functions/entries/calls.ts'

export const variables = /* @__PURE__ */ (() => ({...draw.variables} as const))()
export const personalRoutes = /* @__PURE__ */ (() => ([...events.personalRoutes] as const))()
export const shopperRoutes = /* @__PURE__ */ (() => ([...draw.shopperRoutes, ...reminders.shopperRoutes] as const))()
export const controlHandlers = /* @__PURE__ */ (() => ([...draw.controlHandlers, ...reminders.controlHandlers] as const))()
