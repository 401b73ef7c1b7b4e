/** Reads what a system under measurement answers; anything unknown ends the measurement. */
import type * as z from 'zod/mini'
import { parse } from '../core/parse.ts'

/** Throws when `answer` is not of that shape. */
export function read<S extends z.core.$ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = parse(schema, answer)
  if (!parsed.ok) throw new Error(`the system answered something unknown: ${parsed.detail}`)
  return parsed.value
}
