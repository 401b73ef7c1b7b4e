/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/system/option.ts'
import * as events from '../../events/system/option.ts'
import * as reminders from '../../reminders/system/option.ts'

export const functions = /* @__PURE__ */ (() => ({...events.functions} as const))()
export const scheduledFunctions = /* @__PURE__ */ (() => ({...draw.scheduledFunctions} as const))()
export const wakingQueues = /* @__PURE__ */ (() => ({...events.wakingQueues} as const))()
export const stageFunctions = /* @__PURE__ */ (() => ({...events.stageFunctions} as const))()
export const capacities = /* @__PURE__ */ (() => ({...draw.capacities, ...events.capacities} as const))()
export const settingProblems = /* @__PURE__ */ (() => ([...events.settingProblems] as const))()
export const mailFilters = /* @__PURE__ */ (() => ([...draw.mailFilters, ...reminders.mailFilters] as const))()
export const tableRights = /* @__PURE__ */ (() => ([...draw.tableRights, ...reminders.tableRights] as const))()
export const erasedPrefixes = /* @__PURE__ */ (() => ([...draw.erasedPrefixes, ...reminders.erasedPrefixes] as const))()
export const behaviours = /* @__PURE__ */ (() => ([...events.behaviours] as const))()
