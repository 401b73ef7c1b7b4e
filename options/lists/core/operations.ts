/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/core/operations.ts'
import * as events from '../../events/core/operations.ts'
import * as reminders from '../../reminders/core/operations.ts'

export const operations = /* @__PURE__ */ (() => ({...draw.operations, ...reminders.operations} as const))()
export const controlOperations = /* @__PURE__ */ (() => ({...draw.controlOperations, ...events.controlOperations, ...reminders.controlOperations} as const))()
export const controlAnswers = /* @__PURE__ */ (() => ({...draw.controlAnswers, ...events.controlAnswers, ...reminders.controlAnswers} as const))()
export const auditActions = /* @__PURE__ */ (() => ([...events.auditActions] as const))()
export const auditFacts = /* @__PURE__ */ (() => ([...events.auditFacts] as const))()
export const slowCalls = /* @__PURE__ */ (() => ({...events.slowCalls} as const))()
export const workers = /* @__PURE__ */ (() => ({...events.workers} as const))()
