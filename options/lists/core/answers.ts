/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/core/answers.ts'
import * as events from '../../events/core/answers.ts'
import * as reminders from '../../reminders/core/answers.ts'

export const controlAnswers = /* @__PURE__ */ (() => ({...draw.controlAnswers, ...events.controlAnswers, ...reminders.controlAnswers} as const))()
export const auditActions = /* @__PURE__ */ (() => ([...events.auditActions] as const))()
export const auditFacts = /* @__PURE__ */ (() => ([...events.auditFacts] as const))()
export const slowCalls = /* @__PURE__ */ (() => ({...events.slowCalls} as const))()
export const workers = /* @__PURE__ */ (() => ({...events.workers} as const))()
