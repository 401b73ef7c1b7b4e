/** Decodes text and JSON from requests. The gate and the functions share it, so both accept the same bodies. */

export type Json = { ok: true; value: unknown } | { ok: false; field: string; detail: string }

/** Keeps a byte order mark, because signatures cover it. */
const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const byteOrderMark = '\ufeff'

/** The media type of JSON, whose only encoding is UTF-8 (RFC 8259). */
export const jsonType = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i

export const isJsonType = (type: string): boolean => type === 'application/json' || jsonType.test(type)

/** Returns the members of a JSON object; undefined for anything else. */
export function fieldsIn(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** Returns the text with its byte order mark; undefined if `bytes` are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

export const notUtf8 = 'body must be UTF-8'

/** Returns the value in `json`, which may have a byte order mark. The fault of other text and bytes names `body`. */
export function decodeJson(json: string | Uint8Array): Json {
  const text = typeof json === 'string' ? json : decodeText(json)
  if (text === undefined) return { ok: false, field: 'body', detail: notUtf8 }
  try {
    return { ok: true, value: JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text) }
  } catch {
    return { ok: false, field: 'body', detail: 'body must be JSON' }
  }
}
