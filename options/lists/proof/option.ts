/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/proof/option.ts'

export const simulatedOptions = /* @__PURE__ */ (() => ([...draw.simulatedOptions] as const))()
export const rushModes = /* @__PURE__ */ (() => ([...draw.rushModes] as const))()
