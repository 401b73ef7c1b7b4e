/** The one reader of text and JSON as they arrive, at the gate and in the functions. */

export type Json = { ok: true; value: unknown } | { ok: false; field: string; detail: string }

/** It keeps a byte order mark, which belongs to the text that a signature covers. */
const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const byteOrderMark = '\ufeff'

/** The media type of JSON, which has no encoding but UTF-8 (RFC 8259). */
export const jsonType = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i

export const isJsonType = (type: string): boolean => type === 'application/json' || jsonType.test(type)

/** Returns the members of a JSON object; undefined for anything else. */
export function fieldsIn(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** Returns the text that `bytes` encode, with its byte order mark; undefined for bytes that are no UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** What is wrong with a body whose bytes are no UTF-8. */
export const notUtf8 = 'body must be UTF-8'

/** Returns the value in `json`, with or without a byte order mark; what is not JSON, or not UTF-8, is a fault of `body`. */
export function decodeJson(json: string | Uint8Array): Json {
  const text = typeof json === 'string' ? json : decodeText(json)
  if (text === undefined) return { ok: false, field: 'body', detail: notUtf8 }
  try {
    return { ok: true, value: JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text) }
  } catch {
    return { ok: false, field: 'body', detail: 'body must be JSON' }
  }
}
