/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../../draw/static/client/fairness.tsx'

export const fairnessEntries = /* @__PURE__ */ (() => ([...draw.fairnessEntries] as const))()
