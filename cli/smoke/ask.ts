/**
 * One request of the smoke test, and its answer in a few words. It follows no redirect and waits ten seconds at most, so
 * that a shop that hangs is reported and not waited for.
 */
import * as z from 'zod/mini'
import { readJson } from '../../core/parse.ts'

const patienceMs = 10_000

export type Reply = { status: number; headers: Headers; text: string }

export type Request = {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Sent as JSON. */
  body?: unknown
  token?: string
  headers?: Record<string, string>
}

/** Asks for a path of the shop, or for an address of its own. Throws NoAnswer. */
export type Ask = (target: string, request?: Request) => Promise<Reply>

/** The line was dead or the answer did not come in time; the message says which. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** Asks the shop at `url`; once `deadline` has come, every request fails at once. */
export function asker(url: string, deadline?: AbortSignal): Ask {
  return async (target, { method = 'GET', body, token, headers } = {}) => {
    const patience = AbortSignal.timeout(patienceMs)
    try {
      const response = await fetch(new URL(target, url), {
        method,
        redirect: 'manual',
        signal: deadline === undefined ? patience : AbortSignal.any([patience, deadline]),
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (cause) {
      throw new NoAnswer(reasonOf(cause, deadline?.aborted === true), { cause })
    }
  }
}

function reasonOf(error: unknown, isOver: boolean): string {
  if (isOver) return 'no answer before the time of the whole test was over'
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `no answer within ${patienceMs / 1000} seconds`
  }
  // What fetch throws says only that it failed; its cause says how.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const isCoded = cause instanceof Error && 'code' in cause
  return `no answer (${isCoded ? cause.code : cause})`
}

const problemDocument = z.looseObject({ code: z.string(), detail: z.string() })

/** The code of our problem document, or undefined when the answer is none. */
export function problemCodeOf({ headers, text }: Reply): string | undefined {
  if (headers.get('content-type')?.startsWith('application/problem+json') !== true) return undefined
  const read = readJson(problemDocument, text)
  return read.ok ? read.value.code : undefined
}

/** Whether the gate said this by itself, without asking a function. */
export const isFromGate = ({ headers }: Reply): boolean => headers.get('x-sluice-gate') === 'refused'

const longestGist = 160

/** Status and the words that matter, of a problem of ours as well as of an error page of somebody else. */
export function gistOf(reply: Reply): string {
  const { status, headers, text } = reply
  const code = problemCodeOf(reply)
  if (code !== undefined) return `${status} ${code}`
  const type = headers.get('x-amzn-errortype')
  const words = text
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const said = type === null ? words : `${type} ${words}`
  return said === '' ? `${status} without a body` : `${status} ${said.slice(0, longestGist)}`
}
