/** One request and its answer, without an exception for a refusal. */
import type { Problem } from './types.ts'

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>

/**
 * `lost`: it is unknown whether the request took effect. `atGate`: the gate rejected it, so no function received it.
 */
export type Reply =
  | { kind: 'ok'; status: number; body: unknown; headers: Headers; sentAt: number; receivedAt: number }
  | { kind: 'refused'; status: number; problem: Problem; atGate: boolean; headers: Headers }
  | { kind: 'lost' }

/** A request later than this counts as lost. */
const deadlineMs = 8000

/** A request with a body is a POST. */
export type Sent = {
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
}

/** @throws when `signal` is aborted */
export async function send(fetch: Fetch, url: string, sent: Sent = {}): Promise<Reply> {
  const { body, headers, signal } = sent
  const sentAt = Date.now()
  const deadline = deadlineWith(signal)
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: deadline.signal,
    })
    const read: unknown = JSON.parse(await response.text())
    const { status, headers: answered, ok } = response
    if (ok) return { kind: 'ok', status, body: read, headers: answered, sentAt, receivedAt: Date.now() }
    const problem = problemIn(read)
    if (problem === undefined) return { kind: 'lost' }
    return { kind: 'refused', status, problem, atGate: answered.has('x-sluice-gate'), headers: answered }
  } catch {
    // No connection, a deadline, and an answer that the network between has cut or written are the same.
    signal?.throwIfAborted()
    return { kind: 'lost' }
  } finally {
    deadline.clear()
  }
}

/** Aborts at the deadline or with `signal`. `AbortSignal.any` is too new for some phones. */
function deadlineWith(signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const timer = setTimeout(stop, deadlineMs)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    },
  }
}

function problemIn(body: unknown): Problem | undefined {
  const { code, detail } = (body ?? {}) as Partial<Problem>
  return typeof code === 'string' && typeof detail === 'string' ? (body as Problem) : undefined
}
