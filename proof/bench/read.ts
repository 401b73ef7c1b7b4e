/** Reads the answers of a system under measurement; an unexpected one ends the measurement. */
import type * as z from 'zod/mini'
import { parse } from '../../core/lib/parse.ts'

/**
 * `answer` in the shape of `schema`.
 * @throws when it has another
 */
export function read<S extends z.core.$ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = parse(schema, answer)
  if (!parsed.ok) throw new Error(`unexpected answer of the system: ${parsed.detail}`)
  return parsed.value
}
