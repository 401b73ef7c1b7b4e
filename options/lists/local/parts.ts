/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/local/parts.ts'
import * as events from '../../events/local/parts.ts'

export const localParts = /* @__PURE__ */ (() => ({...events.localParts} as const))()
export const localServices = /* @__PURE__ */ (() => ([...draw.localServices] as const))()
export const demoSales = /* @__PURE__ */ (() => ([...draw.demoSales] as const))()
