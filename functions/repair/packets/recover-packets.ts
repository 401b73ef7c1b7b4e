/**
 * Recovers the frozen packets of a sale: the table knows which shopper has which packet,
 * the seed gives the amounts of all others. Claims that Redis still knows are credited first, so that
 * every shopper who was answered 200 keeps the packet. Then all packets are removed and loaded again.
 * Packets that a claim on its way may have are held back. held-back.ts says why units are, and when that
 * ends; a packet has a number and an amount, so here it matters which.
 *
 *   bound     Packets are handed out in the order of their numbers. The gate's store knows the
 *             largest number of packets that were ever claimed or held back at the same time, and
 *             the admissions without a known outcome. So every packet that was handed out is
 *             numbered below the sum. What is not credited of these is held back, and shoppers
 *             claim the others at once. When that store may have forgotten some of it, every packet
 *             that is not credited is held back.
 *   arrival   A claim from before the reopening is credited in the table like any other. Redis then
 *             learns of it, and the claim takes its packet out of those that are held back
 *             (restore-claims.lua).
 *   end       Once no message from before the reopening can exist any more, the packets of dead
 *             letters stay held back, and shoppers claim the others (unhold-packets.lua). Those
 *             have low numbers, so what is claimed and held back falls below the numbers that were
 *             handed out. The largest sum ever stays with the gate's store: it bounds them when
 *             Redis is lost once more.
 *
 * A shopper whose first claim is still on its way may claim again, because no component but the
 * queue knows the first one. The table credits one claim for a shopper and sale, the first to
 * arrive, and the other one becomes a dead letter with its reason. Redis then learns which one it
 * was. So the shopper has one packet, though the two answers named different amounts. Goods are
 * bounded alike: of two orders beyond the limit the table rejects the second.
 */

import type { SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { ClaimMessage } from '../../../core/packets/claim.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { readAdmissions } from '../../../redis/gate/replenish.ts'
import { clearPackets, countPackets, packetsPerCall, unholdPackets } from '../../../redis/packets/packets.ts'
import { restoreAllClaims } from '../../../redis/packets/stored-claims.ts'
import { onlyShard } from '../../../redis/shards.ts'
import { releaseHeldBack } from '../../../redis/stock/release-held-back.ts'
import { packetsUpTo, reloadPackets } from '../../sales/load-packets.ts'
import { packetAmounts } from '../../sales/packet-split.ts'
import { saleTotals } from '../../table/sale/sale-orders.ts'
import type { RecoveryRun, RepairPorts } from '../ports.ts'
import { announceForSale, type OnTheWay, type Settled } from '../stock/held-back.ts'
import { type CreditedByShopper, creditMissing, creditOutbox, readCredited } from './claim-drift.ts'

const pollMs = 250

/**
 * Resolves with the claims that stand, each an order of one unit; undefined when a claim that only Redis
 * knows could not be credited in time.
 * @throws when a part is unavailable, when Redis loses the sale again, and when `signal` is aborted
 */
export async function recoverPackets(recovery: RecoveryRun): Promise<{ orders: number; units: number } | undefined> {
  const { sale, stock, clock, signal } = recovery
  const { saleId } = sale
  const listed = await creditAll(recovery)
  if (listed === undefined) return undefined
  const claims = [...listed.values()]
  const claimed = new Set(claims.map(({ packet }) => packet))
  const known = { claimed, handedOutBelow: await handedOutBelow(recovery, sale, listed) }
  const shard = await onlyShard(stock, saleId)
  signal.throwIfAborted()
  if ((await clearPackets(shard, saleId)) !== 'cleared') throw lostAgain(sale)
  if ((await restoreAllClaims(stock, saleId, claims)) === undefined) throw lostAgain(sale)
  signal.throwIfAborted()
  await reloadPackets(recovery, sale, known)
  const counts = await countPackets(shard, saleId)
  if (counts === undefined) throw lostAgain(sale)
  const isWhole = hasEnded(sale, clock()) || counts.waiting + counts.heldBack === packetsUpTo(sale) - claims.length
  // An earlier run that stalled, or a late call of it, may have written to the same packets.
  if (counts.claims !== claims.length || !isWhole) return undefined
  return { orders: claims.length, units: claims.length }
}

/**
 * All claims of the table, once it has every claim that Redis knows, unsent ones included:
 * those are about to be removed. While claims keep arriving the list is never complete, and need not
 * be: a packet whose claim is missing is held back.
 */
async function creditAll(recovery: RecoveryRun): Promise<CreditedByShopper | undefined> {
  const { sale, table, clock, sleep, deadline, signal } = recovery
  for (;;) {
    signal.throwIfAborted()
    const { waiting } = await creditOutbox(recovery, sale, 0)
    const before = await readCredited(recovery, sale.saleId)
    const found = before && (await creditMissing(recovery, sale, before, 0))
    const orders = found && (await saleTotals(table, sale.saleId))?.orders
    const listed = found && (await readCredited(recovery, sale.saleId))
    if (found === undefined || listed === undefined) return undefined
    const isKnown = waiting === 0 && found.left === 0
    const ordersAfter = (await saleTotals(table, sale.saleId))?.orders
    if (isKnown && (ordersAfter === listed.size || ordersAfter !== orders)) return listed
    if (clock() >= deadline) return undefined
    await sleep(pollMs)
  }
}

const lostAgain = ({ saleId }: Sale) => new Error(`Redis lost the frozen stock of ${saleId} again`)

/**
 * No packet of this number or a higher one was handed out of `sale`, whose stock is lost or frozen:
 * an upper bound, and above every credited packet. 0 once the budget is closed, because nothing
 * more can be credited. The lists of a split stock are handed out each in its own order, so there
 * every packet may have been.
 * @throws when the gate's store or the table is unavailable
 */
async function handedOutBelow({ gate, table }: RepairPorts, sale: Sale, listed: CreditedByShopper): Promise<number> {
  const { saleId } = sale
  if ((await saleTotals(table, saleId))?.money?.closedAt !== undefined) return 0
  const packets = packetsUpTo(sale)
  const admissions = await readAdmissions(gate, saleId)
  if (admissions === undefined || !admissions.isComplete) return packets
  let below = Math.max(admissions.booked, admissions.mostBooked) + admissions.out
  for (const { packet } of listed.values()) below = Math.max(below, packet + 1)
  return Math.min(packets, below)
}

/** Where claims may still be. */
export function claimsOnTheWay(
  { claimQueue, deadClaims }: RepairPorts,
  saleId: SaleId,
): OnTheWay<readonly ClaimMessage[]> {
  return {
    depth: claimQueue.depth,
    dead: async () => (await deadClaims.claims())?.filter((claim) => claim.saleId === saleId),
  }
}

/**
 * Lets shoppers claim the packets that need not be held back any more; resolves with their
 * number. `listed` was read after `settled`, and Redis knows all claims in it.
 * @throws when a part is unavailable
 */
export async function releaseHeldPackets(
  ports: RepairPorts,
  { sale, listed }: { sale: Sale; listed: CreditedByShopper },
  settled: Settled<readonly ClaimMessage[]>,
): Promise<number> {
  const { saleId, currency } = sale
  const { since, heldBack, quietSince, dead } = settled
  const shard = await onlyShard(ports.stock, saleId)
  const keeping = { since, keep: heldBack, quietSince }
  await releaseHeldBack(shard, saleId, { ...keeping, isSettled: false })
  const mostBooked = (await readAdmissions(ports.gate, saleId))?.mostBooked
  if (dead === undefined || mostBooked === undefined) return 0
  const settle = () => releaseHeldBack(shard, saleId, { ...keeping, isSettled: true })
  const numbers = unclaimedBelow(Math.min(mostBooked, packetsUpTo(sale)), listed, dead)
  if (numbers.length === 0) {
    await settle()
    return 0
  }
  const amounts = await packetAmounts(ports, sale)
  const sum = { units: 0, stockRevision: 0, isWhole: true }
  // The last ones first: each chunk is claimed before those that came earlier.
  for (const some of slicesOf(numbers, packetsPerCall).toReversed()) {
    const released = some.map((packet) => ({ packet, amount: amounts[packet] ?? 0 }))
    const unholding = { since, mostBooked, packets: released, currency }
    const done = await unholdPackets(shard, saleId, unholding)
    sum.isWhole = done.kind === 'unheld'
    if (done.kind !== 'unheld') break
    sum.units += done.packets
    sum.stockRevision = done.stockRevision
  }
  if (sum.isWhole) await settle()
  if (sum.units > 0) await announceForSale(ports, saleId, sum)
  return sum.units
}

/**
 * The numbers below `end` that are not credited, nor waited for by a dead letter that can still be
 * credited.
 */
function unclaimedBelow(end: number, listed: CreditedByShopper, dead: readonly ClaimMessage[]): readonly number[] {
  const taken = new Set([...listed.values()].map(({ packet }) => packet))
  for (const { shopperId, packet } of dead) if (!listed.has(shopperId)) taken.add(packet)
  return Array.from({ length: end }, (_, packet) => packet).filter((packet) => !taken.has(packet))
}
