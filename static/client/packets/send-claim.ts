/**
 * One claim, from the request to its result. A claim may be repeated: the answer is the packet that
 * the shopper has, so a lost answer costs one more tap.
 */

import { sureProblem } from '../../../client/attempt.ts'
import type { ClaimedPacket } from '../../../core/api/shop.ts'
import { type ClickPorts, clickOnce, type PageClick } from '../buy/click-once.ts'
import { type ClickRefusal, refusalOf } from '../buy/refusal.ts'
import { readTap } from '../lib/wire.ts'

/** `unsure`: it is unknown whether a packet was claimed. `offline`: nothing was sent. */
export type Tapped = { kind: 'won'; packet: ClaimedPacket } | ClickRefusal | { kind: 'unsure' | 'offline' }

/** Sends the tap's one request (C7, P2). */
export async function tap(
  ports: ClickPorts,
  { saleId, seen, startToken, challenge }: PageClick & { saleId: string },
): Promise<Tapped> {
  const tried = await clickOnce(ports, seen, {
    path: `/api/sales/${saleId}/packets`,
    body: { startToken, challenge },
    key: crypto.randomUUID(),
    read: readTap,
  })
  if (tried.kind === 'ok') return { kind: 'won', packet: tried.prize }
  if (tried.kind === 'offline') return tried
  const problem = sureProblem(tried)
  return problem === undefined ? { kind: 'unsure' } : refusalOf(problem, tried.atGate === true)
}
