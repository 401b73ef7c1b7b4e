/** The items of shoppers that the draw adds. */
import { table } from './table.ts'

export const tables = [table] as const
