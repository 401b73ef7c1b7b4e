/** The field that the draw adds to a sale. */
import { field } from './field.ts'

export const fields = [field] as const
