/**
 * Turnstile's siteverify: says once whether a token of its widget is good
 * (https://developers.cloudflare.com/turnstile/get-started/server-side-validation/).
 */
import { randomUUID } from 'node:crypto'
import { fieldsIn } from '../../core/lib/json.ts'
import { userAgent } from '../../core/lib/user-agent.ts'
import type { TurnstileKeys } from '../config.ts'

/**
 * `good`: the widget gave the token on a page of `hostname`, which passed `action` and `cdata` to it.
 * `bad`: forged, expired or verified before. `none`: no verdict, for `reason`, a text for the log.
 */
export type Verdict =
  | { kind: 'good'; hostname: unknown; action: unknown; cdata: unknown }
  | { kind: 'bad' }
  | { kind: 'none'; reason: string }

export type Siteverify = (token: string) => Promise<Verdict>

/** Two tries together end before a page stops to wait for its answer. */
const tryMs = 2500

/** Error codes that only a wrong secret or a fault of this code can cause. */
const ourFaults = ['missing-input-secret', 'invalid-input-secret', 'missing-input-response', 'bad-request']

/**
 * Asks twice at most. Turnstile verifies a token once, so the second try carries the key of the first: if only the
 * answer was lost, the verdict is repeated. Another request with the same token has another key, and is refused.
 */
export function openSiteverify(
  { verifyUrl, secret, shopUrl }: TurnstileKeys & { shopUrl?: string | undefined },
  timeoutMs = tryMs,
): Siteverify {
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': userAgent(shopUrl) }
  return async (token) => {
    const body = JSON.stringify({ secret, response: token, idempotency_key: randomUUID() })
    const first = await ask(verifyUrl, headers, body, timeoutMs)
    return first.kind === 'again' ? withoutAgain(await ask(verifyUrl, headers, body, timeoutMs)) : first
  }
}

/** `again`: another try may have a verdict. */
type Try = Verdict | { kind: 'again'; reason: string }

function withoutAgain(tried: Try): Verdict {
  return tried.kind === 'again' ? { kind: 'none', reason: tried.reason } : tried
}

async function ask(url: string, headers: Record<string, string>, body: string, timeoutMs: number): Promise<Try> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return read(response.status, await response.json())
  } catch (error) {
    // No connection, a deadline, and a body that is no JSON.
    return { kind: 'again', reason: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown' }
  }
}

function read(status: number, answer: unknown): Try {
  const { success, hostname, action, cdata, 'error-codes': codes } = fieldsIn(answer) ?? {}
  if (success === true && status === 200) return { kind: 'good', hostname, action, cdata }
  if (success !== false) return { kind: 'again', reason: `status ${status} without a verdict` }
  const given: readonly unknown[] = Array.isArray(codes) ? codes : []
  if (given.includes('internal-error')) return { kind: 'again', reason: 'internal-error' }
  const fault = ourFaults.find((code) => given.includes(code))
  return fault === undefined ? { kind: 'bad' } : { kind: 'none', reason: fault }
}
