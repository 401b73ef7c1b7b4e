/** The greeting of a sale, a line of text. */
import * as z from 'zod/mini'
import { line } from '../../../core/lib/text.ts'
import type { FieldsSeam } from '../../../core/seams.ts'

const maxGreeting = 80
const schema = z.optional(line(maxGreeting))

export const fields = {
  name: 'greeting' as const,
  settings: {
    greeting: { as: 'text', schema, range: [1, maxGreeting], optional: true, group: 'what', editable: true },
  } as const,
  schema: { greeting: schema },
} satisfies FieldsSeam
