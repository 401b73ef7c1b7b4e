/** A shop for the browser's own code: gives the replies of the test, records what it was asked, can lose replies. */
import type { Fetch } from '../../client/http.ts'

export type Asked = { path: string; method: string; key: string | null; seen: string | null; body: unknown }
export type Answer = { status: number; body: unknown; headers?: Record<string, string> }
export type Reply = Answer | 'lost'

export function shopOfAnswers(replies: Record<string, Reply[]>): { fetch: Fetch; asked: Asked[] } {
  const asked: Asked[] = []
  const fetch: Fetch = async (path, init = {}) => {
    const method = init.method ?? 'GET'
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const headers = new Headers(init.headers)
    asked.push({ path, method, key: headers.get('idempotency-key'), seen: headers.get('x-sluice-seen'), body })
    const answer = replies[`${method} ${path}`]?.shift()
    if (answer === undefined) throw new Error(`unexpected call of ${method} ${path}`)
    if (answer === 'lost') throw new TypeError('Failed to fetch')
    return Response.json(answer.body, { status: answer.status, headers: answer.headers ?? {} })
  }
  return { fetch, asked }
}

/** The session storage of a tab, which survives a reload. */
export function tabStore() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

export function refusal(code: string, status: number, more: Record<string, unknown> = {}): Answer {
  return {
    status,
    body: { type: `urn:sluice:problem:${code}`, title: code, status, code, detail: code, ...more },
  }
}

/** The refusal of a click that only lacks a pass. */
export const noPass: Answer = refusal('sign-in-required', 401, { field: 'pass' })
