/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/core/fields.ts'

export const fields = /* @__PURE__ */ (() => ([...draw.fields] as const))()
