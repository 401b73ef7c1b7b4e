/**
 * One click of a page, with the client that programs use: a single try, because the shopper repeats it, and the cookies
 * of the browser in place of tokens.
 */
import { type Attempt, attempt, type Shop } from '../../../client/attempt.ts'
import type { Unanswered } from '../../../client/http.ts'
import { seenHeader } from '../../../core/gate/seen-version.ts'
import { call, type Fetch } from '../lib/http.ts'
import type { ProblemSeen } from '../lib/wire.ts'

/** `online`: false when the device itself has no connection. */
export type ClickPorts = { fetch: Fetch; online: () => boolean }

/** `seen` is what the page has seen of the sale; `challenge` is the solved one, where the sale asks for it (R5). */
export type PageClick = { startToken: string; seen: string; challenge: string | undefined }

/** `offline`: the device has no connection, and nothing was sent. */
export async function clickOnce<Prize>(
  { fetch, online }: ClickPorts,
  seen: string,
  what: Attempt<Prize>,
): Promise<{ kind: 'ok'; prize: Prize } | Unanswered<ProblemSeen> | { kind: 'offline' }> {
  const couldLeave = online()
  const shop: Shop<ProblemSeen> = {
    click: (path, sent) => call(fetch, path, { ...sent, headers: { ...sent.headers, [seenHeader]: seen } }),
    often: (path) => call(fetch, path),
  }
  const tried = await attempt(shop, what)
  return tried.kind === 'lost' && !couldLeave ? { kind: 'offline' } : tried
}
