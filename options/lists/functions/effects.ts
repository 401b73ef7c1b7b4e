/** Written by `npm run options` from the folders beside it: do not edit. */
import { effect as draw } from '../../draw/functions/effect.ts'

export const effects = [draw]
