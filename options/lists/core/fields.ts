/** Written by `npm run options` from the folders beside it: do not edit. */
import { field as draw } from '../../draw/core/field.ts'

export const fields = [draw]
