/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/proof/rush.ts'

export const rushModes = [...draw.rushModes] as const
