/**
 * One way to call the shop: JSON in and out, the cookie session, a deadline, and no exception for
 * an answer.
 */

import { nextHeader } from '../../../core/api/next-header.ts'
import { clockHeader } from '../../../core/gate/clock-header.ts'
import { type ClockSample, localNow } from './clock.ts'
import { fieldsInText, type ProblemSeen, readProblem } from './wire.ts'

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>

/**
 * `clock` is the shop's time, where the answer has it; `next` is where the next part of a table begins. `lost`: the outcome is unknown. `refused` carries the problem document, if there was one;
 * `atGate` is true when the gate rejected the request and no function has seen it.
 */
export type Reply =
  | { kind: 'ok'; status: number; body: unknown; clock?: ClockSample; next?: string }
  | {
      kind: 'refused'
      status: number
      problem: ProblemSeen | undefined
      retryAfterSeconds: number | undefined
      atGate: boolean
    }
  | { kind: 'lost' }

/** `as: 'text'` takes the answer as it is, where that is no JSON. */
export type Request = {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  deadlineMs?: number
  as?: 'text'
}

/** Calls `path` and reads its answer. */
export async function call(fetch: Fetch, path: string, request: Request = {}): Promise<Reply> {
  const { body, headers = {}, deadlineMs = 8000 } = request
  const sentAt = localNow()
  try {
    const response = await fetch(path, {
      method: request.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'same-origin',
      signal: AbortSignal.timeout(deadlineMs),
    })
    const receivedAt = localNow()
    const text = await response.text()
    if (response.ok) {
      const read = request.as === 'text' ? text : text === '' ? null : JSON.parse(text)
      return {
        kind: 'ok',
        status: response.status,
        body: read,
        ...clockIn(response, sentAt, receivedAt),
        ...nextIn(response),
      }
    }
    return {
      kind: 'refused',
      status: response.status,
      problem: readProblem(fieldsInText(text)),
      retryAfterSeconds: secondsIn(response.headers.get('retry-after')),
      atGate: response.headers.has('x-sluice-gate'),
    }
  } catch {
    // No connection, a deadline and a truncated answer are the same to the caller.
    return { kind: 'lost' }
  }
}

function clockIn({ headers }: Response, sentAt: number, receivedAt: number): { clock?: ClockSample } {
  const now = headers.get(clockHeader)
  return now === null ? {} : { clock: { sentAt, receivedAt, serverNow: Number(now) } }
}

function nextIn({ headers }: Response): { next?: string } {
  const next = headers.get(nextHeader)
  return next === null ? {} : { next }
}

function secondsIn(header: string | null): number | undefined {
  const seconds = Number(header)
  return header === null || !Number.isFinite(seconds) ? undefined : seconds
}
