/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/test/option.ts'
import * as events from '../../events/test/option.ts'

export const everything = /* @__PURE__ */ (() => ({...events.everything} as const))()
export const optionMutations = /* @__PURE__ */ (() => ([...draw.optionMutations] as const))()
export const optionFoundBy = /* @__PURE__ */ (() => ([...draw.optionFoundBy] as const))()
