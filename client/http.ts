/** Sends one request and reads its answer. A refusal is a value, no exception. */
import type { Problem } from './types.ts'

/** The parts of an answer that are read. */
export type Answer = Pick<Response, 'ok' | 'status' | 'text'> & { headers: Pick<Headers, 'get' | 'has'> }
export type Fetch = (input: string, init?: RequestInit) => Promise<Answer>

/**
 * An answer without what was asked for. `lost`: it is unknown whether the request took effect. `problem` is undefined
 * in an answer that the network between has written. `retryAfterSeconds` is that of the header. `atGate`: the gate
 * rejected the request, so no function received it.
 */
export type Unanswered =
  | {
      kind: 'refused'
      status: number
      problem: Problem | undefined
      retryAfterSeconds: number | undefined
      atGate: boolean
    }
  | { kind: 'lost'; status?: undefined; problem?: undefined; retryAfterSeconds?: undefined; atGate?: undefined }

export type Reply =
  | { kind: 'ok'; status: number; body: unknown; headers: Answer['headers']; problem?: undefined }
  | Unanswered

/** A request; one with a body is a POST unless `method` is given. `parse` reads an answer that is no JSON. */
export type Sent = {
  method?: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  parse?: (text: string) => unknown
}

/** Sends it once. */
export async function send(
  fetch: Fetch,
  url: string,
  { method, body, headers, signal, parse = JSON.parse }: Sent,
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
    // No connection, a deadline and an answer that was cut are the same.
    return { kind: 'lost' }
  }
}

/** The members of a problem that are one value, each with its type. */
const types = new Map([
  ...['detail', 'field', 'variant', 'reason'].map((name) => [name, 'string'] as const),
  ...['remaining', 'retryAfterSeconds', 'now'].map((name) => [name, 'number'] as const),
])

/** A path of the shop's own API: the client sends its session there. */
const lookupPath = /^\/api\/[a-z]+(?:\?sale=[a-z0-9-]+)?$/

/** Reads a problem document, without the members that have another form; undefined for any other text. */
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
