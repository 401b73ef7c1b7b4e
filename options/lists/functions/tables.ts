/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/functions/tables.ts'

export const tables = [...draw.tables] as const
