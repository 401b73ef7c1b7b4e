/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/infra/option.ts'
import * as events from '../../events/infra/option.ts'

export const resources = /* @__PURE__ */ (() => ([...draw.resources, ...events.resources] as const))()
export const alarmRows = /* @__PURE__ */ (() => ([...draw.alarmRows, ...events.alarmRows] as const))()
export const graphs = /* @__PURE__ */ (() => ([...events.graphs] as const))()
export const messageCosts = /* @__PURE__ */ (() => ([...events.messageCosts] as const))()
export const alarmedMetrics = /* @__PURE__ */ (() => ([...draw.alarmedMetrics, ...events.alarmedMetrics] as const))()
