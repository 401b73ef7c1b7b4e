/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/proof/step-targets.ts'

export const stepTargets = [...draw.stepTargets] as const
