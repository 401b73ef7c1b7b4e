/** Written by `npm run build` from the folders of the options: do not edit. */
import { fields as draw } from '../draw/core/fields.ts'

export const fields = { draw }
