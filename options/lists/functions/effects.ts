/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/functions/effects.ts'

export const effects = [...draw.effects] as const
