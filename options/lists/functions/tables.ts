/** Written by `npm run options` from the folders beside it: do not edit. */
import { table as draw } from '../../draw/functions/table.ts'

export const tables = [draw]
