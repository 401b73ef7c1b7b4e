/** Written by `npm run build` from the folders of the options: do not edit. */
import type drawWords from '../../draw/words/en.json'
import type eventsWords from '../../events/words/en.json'
import type remindersWords from '../../reminders/words/en.json'
import * as draw from '../../draw/core/option.ts'
import * as events from '../../events/core/option.ts'
import * as reminders from '../../reminders/core/option.ts'

export const paths = /* @__PURE__ */ (() => ([...draw.paths, ...reminders.paths] as const))()
export const personParts = /* @__PURE__ */ (() => ([...draw.personParts, ...reminders.personParts] as const))()
export const mailKinds = /* @__PURE__ */ (() => ([...draw.mailKinds, ...reminders.mailKinds] as const))()
export const controlRoutes = /* @__PURE__ */ (() => ({...draw.controlRoutes, ...events.controlRoutes, ...reminders.controlRoutes} as const))()
export const refusals = /* @__PURE__ */ (() => ({...draw.refusals, ...events.refusals} as const))()
export const metrics = /* @__PURE__ */ (() => ({...draw.metrics, ...events.metrics} as const))()
export const redisCallers = /* @__PURE__ */ (() => ([...draw.redisCallers] as const))()
export const retired = [] as const
export type OptionWords = (typeof drawWords)['messages'] & (typeof eventsWords)['messages'] & (typeof remindersWords)['messages']
