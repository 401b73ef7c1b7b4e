/**
 * One claim, from the request to its result. A claim may be repeated: the answer is the packet that the shopper has. After
 * a lost answer the page looks for the packet before it shows a result.
 */

import { claimOf } from '../../../client/claim.ts'
import { conclude } from '../../../client/click.ts'
import type { Unanswered } from '../../../client/http.ts'
import type { ClaimedPacket } from '../../../core/api/purchase.ts'
import type { BuyPorts } from '../buy/buy.ts'
import { clickOnce, type PageClick } from '../buy/click-once.ts'
import { type ClickRefusal, refusalOf } from '../buy/refusal.ts'
import { call } from '../lib/http.ts'
import { type ProblemSeen, readTap } from '../lib/wire.ts'

/**
 * `unsure`: it is unknown whether a packet was claimed; the request may still be on its way where none was found.
 * `offline`: nothing was sent.
 */
export type Tapped = { kind: 'won'; packet: ClaimedPacket } | ClickRefusal | { kind: 'unsure' | 'offline' }

export type TapPorts = Omit<BuyPorts, 'store'>

/** Sends the tap's one request (C7, P2). `inDoubt`: an earlier tap may have claimed a packet. */
export async function tap(
  ports: TapPorts,
  { saleId, seen, startToken, challenge, inDoubt }: PageClick & { saleId: string; inDoubt: boolean },
): Promise<Tapped> {
  const tried = await clickOnce(ports, seen, {
    path: `/api/sales/${saleId}/packets`,
    body: { startToken, challenge },
    read: readTap,
  })
  if (tried.kind === 'ok') return { kind: 'won', packet: tried.prize }
  return tried.kind === 'offline' ? tried : findPacket(ports, saleId, tried, inDoubt)
}

/** What became of taps of which the `last` one won nothing: looks for their packet where an answer may have been lost. */
export async function findPacket(
  { fetch, onChecking, wait, random }: TapPorts,
  saleId: string,
  last: Unanswered<ProblemSeen>,
  inDoubt: boolean,
): Promise<Tapped> {
  const shop = {
    often: (path: string) => call(fetch, path),
    random,
    sleep(delayMs: number) {
      onChecking()
      return wait(delayMs)
    },
  }
  const outcome = await conclude(shop, claimOf(saleId).find, last, { key: '', since: 0, inDoubt })
  if (outcome.kind === 'refused') return refusalOf(outcome.problem, outcome.atGate)
  if (outcome.kind === 'unsure') {
    const { problem } = outcome
    return problem?.code === 'sign-in-required' ? refusalOf(problem, false) : { kind: 'unsure' }
  }
  const { packetId, amount, currency } = outcome
  return { kind: 'won', packet: { packetId, amount, currency, repeat: true } }
}
