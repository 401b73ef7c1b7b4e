/** Converts a handler's result into the HTTP answer of its function URL (payload format 2.0). */
import * as z from 'zod/mini'

/**
 * A text stays a text: Node then sends it in one piece with the headers. `bytes` is the length of
 * the body.
 */
export type UrlResponse = { status: number; headers: string[]; body: string | Buffer; bytes: number }

const structured = z.object({
  statusCode: z.number(),
  headers: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  cookies: z.optional(z.array(z.string())),
  body: z.optional(z.string()),
  isBase64Encoded: z.optional(z.boolean()),
})

/** Lambda's limit on a request or an answer, in bytes. */
export const payloadLimitBytes = 6 * 1024 * 1024

/**
 * An object with a statusCode is sent as it is, each of its cookies as one Set-Cookie header. Any
 * other value is a 200 with that value as JSON. Undefined when Lambda would answer 502: a malformed
 * object, or more than 6 MB.
 */
export function urlResponse(result: unknown): UrlResponse | undefined {
  const response = isStructured(result) ? fromStructured(result) : fromValue(result)
  return response !== undefined && response.bytes <= payloadLimitBytes ? response : undefined
}

function isStructured(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'statusCode' in result
}

function fromValue(result: unknown): UrlResponse {
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null')
  const headers = ['content-type', 'application/json']
  return { status: 200, headers, body: text, bytes: Buffer.byteLength(text) }
}

function fromStructured(result: unknown): UrlResponse | undefined {
  const parsed = structured.safeParse(result)
  if (!parsed.success) return undefined
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = parsed.data
  const pairs: string[] = []
  let hasType = false
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'content-type') hasType = true
    pairs.push(name, String(value))
  }
  if (!hasType) pairs.push('content-type', 'application/json')
  for (const cookie of cookies) pairs.push('set-cookie', cookie)
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body
  return { status: statusCode, headers: pairs, body: content, bytes: Buffer.byteLength(content) }
}
