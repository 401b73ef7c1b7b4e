/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../../draw/test/proof/mutations.ts'

export const optionMutations = [...draw.optionMutations] as const
export const optionFoundBy = [...draw.optionFoundBy] as const
