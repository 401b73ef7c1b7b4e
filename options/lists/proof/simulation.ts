/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/proof/simulation.ts'

export const simulatedOptions = [...draw.simulatedOptions] as const
