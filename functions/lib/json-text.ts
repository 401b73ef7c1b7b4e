/** Variables of the environment that hold JSON. */
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'

/** A schema for JSON text of `schema`. Its message never contains the text, which may be a secret. */
export function jsonText<S extends z.ZodMiniType>(schema: S, message: string) {
  return z.pipe(
    z.string('is missing').check(z.refine((text) => readJson(schema, text).ok, message)),
    z.transform((text): z.output<S> => schema.parse(JSON.parse(text))),
  )
}
