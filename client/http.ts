/** One request and its answer, without an exception for a refusal. */
import type { Problem } from './types.ts'

/** The parts of an answer that are read. */
export type Answer = Pick<Response, 'ok' | 'status' | 'text'> & { headers: Pick<Headers, 'get' | 'has'> }
export type Fetch = (input: string, init?: RequestInit) => Promise<Answer>

/**
 * An answer without what was asked for. `lost`: it is unknown whether the request took effect. `problem` is undefined
 * in an answer that the network between has written. `retryAfterSeconds` is that of the header. `atGate`: the gate
 * rejected the request, so no function received it.
 */
export type Unanswered<P = Problem> =
  | { kind: 'refused'; status: number; problem: P | undefined; retryAfterSeconds: number | undefined; atGate: boolean }
  | { kind: 'lost'; status?: undefined; problem?: undefined; retryAfterSeconds?: undefined; atGate?: undefined }

export type Reply<P = Problem> =
  | { kind: 'ok'; status: number; body: unknown; headers: Answer['headers']; problem?: undefined }
  | Unanswered<P>

/** A request; one with a body is a POST unless `method` is given. `parse` reads an answer that is no JSON. */
export type Sent = {
  method?: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  parse?: (text: string) => unknown
}

/** Sends it once; `readProblem` reads the text of a refusal. */
export async function send<P>(
  fetch: Fetch,
  url: string,
  { method, body, headers, signal, parse = JSON.parse }: Sent,
  readProblem: (text: string) => P | undefined,
): Promise<Reply<P>> {
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
