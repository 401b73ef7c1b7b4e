/**
 * Sends the requests of the smoke test and of the deployment checks, without redirects and with a timeout of ten seconds,
 * and summarizes replies.
 */
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { checkedToken } from '../exported-token.ts'

const timeoutMs = 10_000

export type SmokeReply = { status: number; headers: Headers; text: string }

type Request = {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Sent as JSON. */
  body?: unknown
  /** Sent as a browser sends a form. */
  form?: Readonly<Record<string, string>>
  token?: string
  headers?: Record<string, string>
}

/**
 * Requests a path of the shop, or an absolute address.
 * @throws RequestFailed
 */
export type SendRequest = (target: string, request?: Request) => Promise<SmokeReply>

/** Waits `ms` before the next request. */
export type Pause = (ms: number) => Promise<void>

/** The connection failed or the request timed out; the message says which. */
export class RequestFailed extends Error {
  override name = 'RequestFailed'
}

/** Returns a sender of requests to the shop at `url`. After `deadline` every request fails at once. */
export function requestSender(url: string, deadline?: AbortSignal): SendRequest {
  return async (target, { method = 'GET', body, form, token, headers } = {}) => {
    if (token !== undefined) checkToken(token)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(new URL(target, url), {
        method,
        redirect: 'manual',
        signal: deadline === undefined ? timeout : AbortSignal.any([timeout, deadline]),
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (cause) {
      throw new RequestFailed(reasonOf(cause, deadline?.aborted === true), { cause })
    }
  }
}

/** Rejects a token that no header can contain. @throws RequestFailed */
function checkToken(token: string): void {
  try {
    checkedToken(token, 'the token')
  } catch (cause) {
    throw new RequestFailed(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function reasonOf(error: unknown, isOver: boolean): string {
  if (isOver) return 'no answer before the timeout of the whole test'
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `no answer within ${timeoutMs / 1000} seconds`
  }
  // The error of fetch has the reason in its cause.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const isCoded = cause instanceof Error && 'code' in cause
  return `no answer (${isCoded ? cause.code : cause})`
}

const problemDocument = z.looseObject({ code: z.string(), detail: z.string() })

/** Returns the code of our problem document; undefined for any other answer. */
export function problemCodeOf({ headers, text }: SmokeReply): string | undefined {
  if (headers.get('content-type')?.startsWith('application/problem+json') !== true) return undefined
  const read = readJson(problemDocument, text)
  return read.ok ? read.value.code : undefined
}

/** True when the gate answered without calling a function. */
export const isFromGate = ({ headers }: SmokeReply): boolean => headers.get('x-sluice-gate') === 'refused'

const maxSummaryLength = 160

/** Returns the status and problem code, or the text of a foreign error page. */
export function summarizeReply(reply: SmokeReply): string {
  const { status, headers, text } = reply
  const code = problemCodeOf(reply)
  if (code !== undefined) return `${status} ${code}`
  const type = headers.get('x-amzn-errortype')
  const words = text
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const said = type === null ? words : `${type} ${words}`
  return said === '' ? `${status} without a body` : `${status} ${said.slice(0, maxSummaryLength)}`
}
