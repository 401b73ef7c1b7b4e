/**
 * The checks that a shopper is a person (R5, N4), as the gate uses them: a proof of work, or
 * Turnstile where this stage has its keys. Verifying costs no network. Only the store can say
 * whether a challenge was used before: see edge/checks/challenge.ts.
 */
import type { ChallengeKind } from '../../core/gate/challenge.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'

/** `id` is the same for every solution of one challenge; `expiresAt` is epoch ms. */
export type Solved = { id: string; expiresAt: number }

/** `failed`: another try may help. `unavailable`: this kind of check cannot be done at the moment. */
type Unissued = 'failed' | 'unavailable'

export type Challenge = {
  /** The next answer to the page, as JSON. `token` is what the page made of an earlier answer. */
  issue(saleId: SaleId, shopperId: ShopperId, token: string | undefined): Promise<object | Unissued>
  /** The challenge that a page's `payload` solves; undefined when it is expired or not for this sale and shopper. */
  verify(payload: string, saleId: SaleId, shopperId: ShopperId): Promise<Solved | undefined>
}

/** By the kind that a sale asks for; undefined where this stage has no keys for it. */
export type Challenges = Readonly<Record<Exclude<ChallengeKind, 'off'>, Challenge | undefined>>

/** Long enough to pass the check before the start and to wait for the start, ms. */
export const challengeLifeMs = 10 * 60_000
