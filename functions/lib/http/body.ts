/** The body of a request: JSON of a bounded length that fits a schema. */
import type * as z from 'zod/mini'
import { readJson } from '../../../core/lib/parse.ts'
import { problem } from '../../../core/outcome.ts'
import { type HttpAnswer, invalid, problemAnswer } from './answer.ts'
import { type HttpRequest, isJson } from './request.ts'

type Body<T> = { ok: true; value: T } | { ok: false; answer: HttpAnswer }

/** The value in the body, or the answer that says what is wrong with it. */
export function readBody<S extends z.core.$ZodType>(
  schema: S,
  { body, headers }: HttpRequest,
  maxBytes: number,
): Body<z.output<S>> {
  if (Buffer.byteLength(body) > maxBytes) {
    return {
      ok: false,
      answer: problemAnswer(problem('too-large', `This request has at most ${maxBytes} bytes.`)),
    }
  }
  if (!isJson(headers['content-type'])) {
    return { ok: false, answer: problemAnswer(problem('unsupported-media-type', 'Send application/json.')) }
  }
  const read = readJson(schema, body)
  return read.ok ? read : { ok: false, answer: invalid(read.field, read.detail, read.fields) }
}
