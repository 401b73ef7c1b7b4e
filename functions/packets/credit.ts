/**
 * Credits claims, many in one transaction (group commit). A claim may come twice, late, or beside
 * one that can never succeed; still, it is credited once (O6, P8), no packet has two owners (P3),
 * and the budget of its sale is final. Wallet, packet and cap change together or not at all (O3).
 */

import type { ShopperId } from '../../core/ids.ts'
import { packetIdOf } from '../../core/packets/claim.ts'
import { commitEach, commitGroup, groupsOf } from '../lib/group-commit.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'
import { itemsPerClaim } from '../table/packets/claim-group.ts'
import { type CreditRefusal, type DueClaim, type RefusedReason, writeCredits } from '../table/packets/claim-ledger.ts'

export type RefusedClaim<C> = { claim: C; reason: RefusedReason }

/**
 * The outcome: `credited` by this call, `repeats` that were credited before, `refused` for good.
 * `comeAgain` were not decided: the table was unavailable, or failed because of a fault of ours.
 */
export type Credited<C> = { credited: C[]; repeats: C[]; refused: RefusedClaim<C>[]; comeAgain: C[] }

/** Credits claims of any sales. No transaction is begun after `deadline` (epoch ms). Never throws. */
export async function creditClaims<C extends DueClaim>(
  ports: Pick<Shop, 'table' | 'clock' | 'sleep' | 'meter' | 'log'>,
  claims: readonly C[],
  deadline: number,
): Promise<Credited<C>> {
  const { meter, log } = ports
  const sum: Credited<C> = { credited: [], repeats: [], refused: [], comeAgain: [] }
  const groups = [...Map.groupBy(claims, ({ saleId }) => saleId).values()].flatMap((some) => groupsOf(some, cost))
  sum.comeAgain = await commitEach(
    groups,
    async (group) => {
      const { credited, repeats, refused } = await creditGroup(ports, group, deadline)
      sum.credited.push(...credited)
      sum.repeats.push(...repeats)
      sum.refused.push(...refused)
    },
    (left, error) => log.warn('claims not credited', { ...namesOf(left), ...errorFacts(error) }),
  )
  meter.count('WalletsCredited', sum.credited.length)
  meter.count('DuplicatesDropped', sum.repeats.length)
  meter.count('ClaimsRefused', sum.refused.length)
  // A packet is claimed once, so Redis had lost data, which an operator must investigate.
  for (const { claim, reason } of sum.refused) log.error('claim refused', { ...namesOf([claim]), reason })
  return sum
}

/**
 * Keys that no two claims of one sale may share in a transaction. A shopper's key stands for the
 * credit and the balance.
 */
const cost = {
  items: itemsPerClaim,
  own: ({ shopperId, packet }: DueClaim) => [`shopper ${shopperId}`, `packet ${packet}`],
  shared: ({ saleId }: DueClaim) => saleId,
}

/**
 * When it throws, all of the group is still to be decided.
 * @throws TableUnavailable, or what an unavailable table throws
 */
async function creditGroup<C extends DueClaim>(
  ports: Pick<Shop, 'table' | 'clock' | 'sleep' | 'meter' | 'log'>,
  group: readonly C[],
  deadline: number,
): Promise<Omit<Credited<C>, 'comeAgain'>> {
  const { table, clock } = ports
  const repeats: C[] = []
  const refused: RefusedClaim<C>[] = []
  const withoutRefused = (claims: readonly C[], refusal: CreditRefusal): readonly C[] => {
    const reasons = reasonsOf(claims, refusal)
    return claims.filter((claim) => {
      if (refusal.repeats.has(claim.shopperId)) {
        repeats.push(claim)
        return false
      }
      const reason = reasons.get(claim.shopperId)
      if (reason !== undefined) refused.push({ claim, reason })
      return reason === undefined
    })
  }
  const write = (claims: readonly C[]) => writeCredits(table, claims, clock())
  const credited = await commitGroup(ports, group, { write, withoutRefused }, deadline)
  return { credited: [...credited], repeats, refused }
}

/**
 * Repeats and doubles first: while they are in the group they ask for packets and money that they
 * will not use, so the cap's answer counts only when nothing else was refused.
 */
function reasonsOf(
  claims: readonly DueClaim[],
  { repeats, refused, left }: CreditRefusal,
): ReadonlyMap<ShopperId, RefusedReason> {
  if (repeats.size > 0 || refused.size > 0 || left === undefined) return refused
  const reasons = new Map<ShopperId, RefusedReason>()
  let { packets, money } = left
  for (const { shopperId, amount } of claims) {
    if (left.isClosed) reasons.set(shopperId, 'closed')
    else if (packets < 1) reasons.set(shopperId, 'over-cap')
    else if (money < amount) reasons.set(shopperId, 'over-budget')
    else {
      packets -= 1
      money -= amount
    }
  }
  return reasons
}

/** Claims as log facts, without their shoppers. */
function namesOf(claims: readonly DueClaim[]) {
  return { packetIds: claims.map(({ saleId, packet }) => packetIdOf(saleId, packet)) }
}
