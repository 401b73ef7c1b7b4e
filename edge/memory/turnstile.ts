/**
 * Turnstile as a check that a shopper is a person (N4). The page runs its widget with what `issue`
 * first answers, and sends the widget's token; a good token becomes a ticket. So a click verifies a
 * signature and waits for no other service.
 *
 * The widget gets `action` and `cData`, which its token carries and siteverify repeats. `cData`
 * stands for the sale and the shopper, and only this gate can make it. A token of another sale,
 * another shopper or another site is therefore not good here.
 */
import type { Challenge } from './challenges.ts'
import type { Siteverify, Verdict } from './siteverify.ts'
import { type Holder, isSame, issueTicket, signatureFor, verifyTicket } from './tickets.ts'

/** `keys` sign as those of challenges do: the first one signs. `origins` are those of the shop. */
export type TurnstileRules = { siteKey: string; keys: readonly string[]; origins: ReadonlySet<string> }

/** `clock` gives epoch ms; `onFailure` gets the reason when there is no verdict. */
export type TurnstilePorts = {
  siteverify: Siteverify
  clock(): number
  onFailure(reason: string): void
}

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
    return keys.some((by) => isSame(cDataOf(by, holder), cdata))
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
