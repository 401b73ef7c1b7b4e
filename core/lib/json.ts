/** JSON as it arrives: text, or bytes that must be UTF-8. */

export type Json = { ok: true; value: unknown } | { ok: false; field: string; detail: string }

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true })

/** The members of a JSON object; undefined for anything else. */
export function fieldsIn(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** The value in `json`; what is not JSON, or not UTF-8, is a fault of `body`. */
export function decodeJson(json: string | Uint8Array): Json {
  try {
    return { ok: true, value: JSON.parse(typeof json === 'string' ? json : utf8.decode(json)) }
  } catch {
    return { ok: false, field: 'body', detail: 'body must be JSON' }
  }
}
