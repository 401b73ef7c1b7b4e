/**
 * Turnstile as a check that a shopper is a person (N4). The page runs its widget with what `issue`
 * first answers, and sends the widget's token; a good token becomes a ticket. So a click verifies a
 * signature and waits for no other service. A ticket is signed for one sale and one shopper and not stored,
 * and verifying it costs one HMAC for each key.
 *
 * The widget gets `action` and `cData`, which its token carries and siteverify repeats. `cData`
 * stands for the sale and the shopper, and only this gate can make it. A token of another sale,
 * another shopper or another site is therefore not good here.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { isSameSecret } from '../constant-time.ts'
import { type Challenge, challengeLifeMs, type Solved } from './challenges.ts'
import type { Siteverify, Verdict } from './siteverify.ts'

/** Nonce, end in epoch seconds, signature: parts of fixed length, so they need no escapes. */
const ticketPattern = /^([0-9a-f]{32})_([0-9]{10})_([A-Za-z0-9_-]{43})$/

/** Whom a ticket or a widget is for. */
export type Holder = { saleId: SaleId; shopperId: ShopperId }

/**
 * Signs this use, sale and shopper with `key`: 43 characters that only this shop can make.
 * The list of parts has one spelling, so no two signatures mean the same.
 */
function signatureFor(
  key: string,
  use: 'ticket' | 'widget',
  { saleId, shopperId }: Holder,
  ...parts: readonly string[]
): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([use, saleId, shopperId, ...parts]))
    .digest('base64url')
}

/** A new ticket, from `now` on (epoch ms) as long as a challenge; `expiresAt` is epoch ms. */
export function issueTicket(key: string, holder: Holder, now: number) {
  const nonce = randomBytes(16).toString('hex')
  const end = String(Math.floor((now + challengeLifeMs) / 1000))
  const signature = signatureFor(key, 'ticket', holder, nonce, end)
  return { ticket: `${nonce}_${end}_${signature}`, expiresAt: Number(end) * 1000 }
}

/** The ticket in `text`, if one of `keys` has signed it for this sale and shopper. */
export function verifyTicket(text: string, keys: readonly string[], holder: Holder, now: number): Solved | undefined {
  const [, nonce, end, signature] = ticketPattern.exec(text) ?? []
  if (nonce === undefined || end === undefined || signature === undefined) return undefined
  const expiresAt = Number(end) * 1000
  if (expiresAt <= now) return undefined
  const isOurs = keys.some((key) => isSameSecret(signatureFor(key, 'ticket', holder, nonce, end), signature))
  return isOurs ? { id: nonce, expiresAt } : undefined
}

/** `keys` sign as those of challenges do: the first one signs. `origins` are those of the shop. */
export type TurnstileRules = { siteKey: string; keys: readonly string[]; origins: ReadonlySet<string> }

/** `clock` gives epoch ms; `onFailure` gets the reason when there is no verdict. */
export type TurnstilePorts = { siteverify: Siteverify; clock(): number; onFailure(reason: string): void }

const action = 'buy'

export function createTurnstile(
  { siteKey, keys, origins }: TurnstileRules,
  { siteverify, clock, onFailure }: TurnstilePorts,
): Challenge {
  const [key = ''] = keys
  const hostnames = new Set<unknown>([...origins].map((origin) => new URL(origin).hostname))
  const cDataOf = (by: string, holder: Holder) => signatureFor(by, 'widget', holder)

  function isFor(verdict: Verdict & { kind: 'good' }, holder: Holder): boolean {
    const { hostname, cdata } = verdict
    if (verdict.action !== action || !hostnames.has(hostname) || typeof cdata !== 'string') return false
    return keys.some((by) => isSameSecret(cDataOf(by, holder), cdata))
  }

  return {
    async issue(saleId, shopperId, token) {
      if (token === undefined) {
        return { turnstile: { siteKey, action, cData: cDataOf(key, { saleId, shopperId }) } }
      }
      const verdict = await siteverify(token)
      if (verdict.kind === 'none') {
        onFailure(verdict.reason)
        return 'unavailable'
      }
      const isGood = verdict.kind === 'good' && isFor(verdict, { saleId, shopperId })
      return isGood ? issueTicket(key, { saleId, shopperId }, clock()) : 'failed'
    },
    verify: async (payload, saleId, shopperId) => verifyTicket(payload, keys, { saleId, shopperId }, clock()),
  }
}
