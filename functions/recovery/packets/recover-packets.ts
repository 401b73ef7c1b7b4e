/**
 * Recovers the red packets of a frozen sale: its orders say which are taken, the seed gives the amounts of all others.
 * Packets of orders in flight are held back. held-back.ts says why, and when that ends; packets differ in their
 * amounts, so here it matters which.
 *
 *   bound     Packets are claimed in the order of their numbers, returned ones first. The gate's store knows the
 *             largest number of packets that were ever booked at the same time, and the admissions without a known
 *             outcome. So every claimed packet is numbered below the sum. Packets below it without an order are
 *             held back, and shoppers claim the others at once. When that store may have lost a count, every
 *             packet without an order is held back.
 *   arrival   An order from before the reopening is written like any other, and takes its packet out of those that are
 *             held back (restore.lua). A shopper whose order had not arrived may have claimed another packet under the
 *             same order id: the first message that arrives decides, and the other packet returns to the list. So
 *             the shopper has one packet, though the two answers named different amounts.
 *   end       Once no message from before the reopening can exist any more, the packets of dead letters stay held back,
 *             and shoppers claim the others (release-held-packets.lua). These have low numbers, so the booked count falls
 *             below the claimed numbers. The gate's store keeps the largest sum ever, which bounds them
 *             when Redis is lost again.
 */
import type { SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { maxOrdersPerCall } from '../../../redis/batch.ts'
import type { Commander } from '../../../redis/command.ts'
import { readAdmissions } from '../../../redis/gate/replenish.ts'
import { holdPages } from '../../../redis/orders/holds.ts'
import { heldPackets, packetsPerCall, releaseHeldPackets } from '../../../redis/packets/packets.ts'
import { releaseHeldBack } from '../../../redis/stock/release-held-back.ts'
import { readShard } from '../../../redis/stock/stock.ts'
import { packetsUpTo, reloadPackets } from '../../sales/load-packets.ts'
import { packetAmounts } from '../../sales/packet-split.ts'
import { saleTotals } from '../../table/sale/sale-orders.ts'
import type { RecoveryRun, RepairPorts } from '../ports.ts'
import { type HeldBackStatus, publishReturnedUnits } from '../stock/held-back.ts'

const pollMs = 250

/**
 * Loads the packets of a frozen sale whose orders are restored. Resolves with how many are held back, or undefined when units
 * were released during every try until the deadline.
 * @throws when a part is unavailable, when Redis loses the sale again, and when `signal` is aborted
 */
export async function rebuildPackets(recovery: RecoveryRun, shard: Commander): Promise<number | undefined> {
  const { sale, clock, sleep, deadline, signal } = recovery
  const amounts = await packetAmounts(recovery, sale)
  for (;;) {
    signal.throwIfAborted()
    const stock = await readShard(shard, sale.saleId)
    if (stock === undefined) throw new Error(`Redis lost the frozen stock of ${sale.saleId} again`)
    const { ofOrders, taken } = await packetsOfOrders(shard, sale.saleId, amounts)
    const below = await claimedBelow(recovery, ofOrders)
    const known = { taken, claimedBelow: below, moves: stock.freeze.moves }
    if (await reloadPackets(recovery, shard, sale, amounts, known)) {
      return Array.from({ length: below }, (_, number) => number).filter((number) => !taken.has(number)).length
    }
    if (clock() >= deadline) return undefined
    await sleep(pollMs)
  }
}

/**
 * Returns the packets of orders, and those that no other shopper can have. A Redis that was rolled back may have given a packet
 * to two shoppers: for each of those the largest remaining packet is taken as well, so that no more packets remain than units
 * and no more money than the budget.
 */
async function packetsOfOrders(
  shard: Commander,
  saleId: SaleId,
  amounts: Float64Array,
): Promise<{ ofOrders: ReadonlySet<number>; taken: ReadonlySet<number> }> {
  const byOrder = new Map<string, number>()
  for await (const page of holdPages(shard, saleId, maxOrdersPerCall)) {
    for (const { orderId, packet } of page) if (packet !== undefined) byOrder.set(orderId, packet.number)
  }
  const ofOrders = new Set(byOrder.values())
  if (ofOrders.size === byOrder.size) return { ofOrders, taken: ofOrders }
  const left = [...amounts.keys()].filter((number) => !ofOrders.has(number))
  const largest = left.toSorted((a, b) => (amounts[b] ?? 0) - (amounts[a] ?? 0))
  return { ofOrders, taken: new Set([...ofOrders, ...largest.slice(0, byOrder.size - ofOrders.size)]) }
}

/**
 * Returns an upper bound: no packet of this number or a higher one was claimed. It is above every packet of an order, and 0
 * once the budget is closed, because nothing more can be credited.
 * @throws when the gate's store or the table is unavailable
 */
async function claimedBelow({ gate, table, sale }: RecoveryRun, ofOrders: ReadonlySet<number>): Promise<number> {
  const { saleId } = sale
  if ((await saleTotals(table, saleId))?.money?.closedAt !== undefined) return 0
  const packets = packetsUpTo(sale)
  const admissions = await readAdmissions(gate, saleId)
  if (admissions === undefined || !admissions.isComplete) return packets
  let below = Math.max(admissions.booked, admissions.maxBooked) + admissions.out
  for (const number of ofOrders) below = Math.max(below, number + 1)
  return Math.min(packets, below)
}

/** Releases packets that were held back; resolves with their number. @throws when a part is unavailable */
export async function sellHeldPackets(
  ports: RepairPorts,
  shard: Commander,
  { saleId }: Sale,
  { since, heldBack, quietSince, dead }: HeldBackStatus,
): Promise<number> {
  const keeping = { since, keep: heldBack, quietSince }
  await releaseHeldBack(shard, saleId, { ...keeping, isFinal: false })
  const maxBooked = (await readAdmissions(ports.gate, saleId))?.maxBooked
  if (dead === undefined || maxBooked === undefined) return 0
  const numbers = (await heldPackets(shard, saleId)).filter((number) => !dead.packets.has(number))
  const sum = { units: 0, stockRevision: 0, isComplete: true }
  // The next packet to be claimed comes last.
  for (const some of slicesOf(numbers.reverse(), packetsPerCall)) {
    const done = await releaseHeldPackets(shard, saleId, { since, maxBooked, numbers: some })
    sum.isComplete = done.kind === 'released'
    if (done.kind !== 'released') break
    sum.units += done.packets
    sum.stockRevision = done.stockRevision
  }
  if (sum.isComplete) await releaseHeldBack(shard, saleId, { ...keeping, isFinal: true })
  if (sum.units > 0) await publishReturnedUnits(ports, saleId, sum)
  return sum.units
}
