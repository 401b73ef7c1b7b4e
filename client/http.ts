/** Sends one request and reads its answer. A refusal is a value, not an exception. */
import type { Problem } from './types.ts'

/** The members of a `Response` that this client reads. */
export type FetchResponse = Pick<Response, 'ok' | 'status' | 'text'> & { headers: Pick<Headers, 'get' | 'has'> }
export type Fetch = (input: string, init?: RequestInit) => Promise<FetchResponse>

/**
 * A request without a result. `lost`: it is unknown whether the request took effect. `problem` is undefined when a proxy
 * or the CDN wrote the answer. `retryAfterSeconds` is from the header. `atGate`: the gate rejected the request, so no
 * function received it.
 */
export type FailedReply =
  | {
      kind: 'refused'
      status: number
      problem: Problem | undefined
      retryAfterSeconds: number | undefined
      atGate: boolean
    }
  | { kind: 'lost'; status?: undefined; problem?: undefined; retryAfterSeconds?: undefined; atGate?: undefined }

export type Reply =
  | { kind: 'ok'; status: number; body: unknown; headers: FetchResponse['headers']; problem?: undefined }
  | FailedReply

/** A request. It is a POST if it has a body and no `method`. `parse` reads an answer that is not JSON. */
export type ShopRequest = {
  method?: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  parse?: (text: string) => unknown
}

/** Sends the request once. */
export async function send(
  fetch: Fetch,
  url: string,
  { method, body, headers, signal, parse = JSON.parse }: ShopRequest,
): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
    const text = await response.text()
    const { ok, status, headers: answered } = response
    if (ok) return { kind: 'ok', status, body: parse(text), headers: answered }
    return {
      kind: 'refused',
      status,
      problem: readProblem(text),
      retryAfterSeconds: Number(answered.get('retry-after')) || undefined,
      atGate: answered.has('x-sluice-gate'),
    }
  } catch {
    // No connection, an expired deadline or a truncated answer.
    return { kind: 'lost' }
  }
}

/** The members of a problem with a primitive value, and their types. */
const types = new Map([
  ...['detail', 'field', 'variant', 'reason'].map((name) => [name, 'string'] as const),
  ...['remaining', 'retryAfterSeconds', 'now'].map((name) => [name, 'number'] as const),
])

/** Only paths of the shop's own API, because the client sends its session there. */
const lookupPath = /^\/api\/[a-z]+(?:\?sale=[a-z0-9-]+)?$/

/** Parses a problem document and drops members of the wrong type. Undefined for any other text. */
export function readProblem(text: string): Problem | undefined {
  try {
    const members: Partial<Problem> | null = JSON.parse(text)
    if (typeof members?.code !== 'string') return undefined
    const kept = Object.entries(members).filter(([name, value]) =>
      name === 'lookup' ? lookupPath.test(String(value)) : typeof value === (types.get(name) ?? typeof value),
    )
    return { detail: '', ...Object.fromEntries(kept) } as Problem
  } catch {
    return undefined
  }
}
