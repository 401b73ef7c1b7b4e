/**
 * Recovers the frozen lists of a sale of red packets: the table knows which shopper has which packet,
 * the seed gives the amounts of all others. Claims that Redis still knows are credited first, so that
 * every shopper who was answered 200 keeps the packet. Then all packets are removed and loaded again.
 * Packets that a claim on its way may have are held back (held-packets.ts).
 */

import { packetsOfShard, shardOfPacket } from '../../../core/packets/packet-shards.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { errorOf } from '../../../redis/errors.ts'
import { clearPackets, countPackets } from '../../../redis/packets/packets.ts'
import {
  type ClaimName,
  claimPages,
  claimsPerPage,
  passingClaims,
  restoreAllClaims,
  sendOn,
} from '../../../redis/packets/stored-claims.ts'
import { readShard } from '../../../redis/stock/stock.ts'
import {
  type PacketList,
  type PacketsKnown,
  packetListsOf,
  packetsUpTo,
  reloadPackets,
} from '../../sales/load-packets.ts'
import { saleTotals } from '../../table/sale/sale-orders.ts'
import type { RecoveryRun } from '../ports.ts'
import { type CreditedByShopper, creditMissing, creditOutbox, readCredited } from './claim-drift.ts'
import { handedOutBelow } from './held-packets.ts'

const pollMs = 250

/**
 * Resolves with the claims of `lists` that stand, each an order of one unit; undefined when a claim
 * that only Redis knows could not be credited in time.
 * @throws when a part is unavailable, when Redis loses the sale again, and when `signal` is aborted
 */
export async function recoverPackets(
  recovery: RecoveryRun,
  lists: readonly PacketList[],
): Promise<{ orders: number; units: number } | undefined> {
  const { sale, stock, signal } = recovery
  const listed = await creditAll(recovery, lists)
  if (listed === undefined) return undefined
  const claimed = new Set([...listed.values()].map(({ packet }) => packet))
  const known = { claimed, handedOutBelow: await handedOutBelow(recovery, sale, listed) }
  let orders = 0
  for (const list of lists) {
    const own = [...listed.values()].filter(({ packet }) => isOf(list, packet))
    signal.throwIfAborted()
    if ((await clearPackets(list.shard, sale.saleId)) !== 'cleared') throw lostAgain(sale)
    if ((await restoreAllClaims(stock, sale.saleId, own)) === undefined) throw lostAgain(sale)
    if (list.shardCount > 1) await sendShoppersOn(recovery, list, listed)
    signal.throwIfAborted()
    if (!(await reload(recovery, list, known, own.length))) return undefined
    orders += own.length
  }
  return { orders, units: orders }
}

/** False when an earlier run that stalled, or a late call of it, wrote to the same packets. */
async function reload(recovery: RecoveryRun, list: PacketList, known: PacketsKnown, claims: number): Promise<boolean> {
  const { sale, clock } = recovery
  const { number, shardCount, shard } = list
  await reloadPackets(recovery, sale, list, known)
  const counts = await countPackets(shard, sale.saleId)
  if (counts === undefined) throw lostAgain(sale)
  const unclaimed = packetsOfShard(packetsUpTo(sale), number, shardCount) - claims
  const isWhole = hasEnded(sale, clock()) || counts.waiting + counts.heldBack === unclaimed
  return counts.claims === claims && isWhole
}

const isOf = ({ number, shardCount }: PacketList, packet: number) => shardOfPacket(packet, shardCount) === number

/**
 * A lost shard has forgotten to whom it had no packet to give. A shopper whom it had sent on may have
 * one of another shard by now, which this one must not give a second: so says the table, or that
 * shard, if it answers. The table decides which of two packets is the shopper's, so of shoppers in it the
 * other shards are not asked: one of them may have a claim that was rejected, and this shard the rightful one. The
 * shard has been frozen for long enough that no request is on its way past it.
 */
async function sendShoppersOn(
  { stock, sale }: RecoveryRun,
  list: PacketList,
  listed: CreditedByShopper,
): Promise<void> {
  const { saleId } = sale
  const { shard, number, shardCount } = list
  const record = (claims: readonly ClaimName[]) =>
    sendOn(shard, saleId, passingClaims(claims, number, shardCount), shardCount)
  for (const other of await packetListsOf(stock, sale)) {
    const there = await readShard(other.shard, saleId).catch(errorOf)
    if (other.number === number || there instanceof Error) continue
    for await (const page of claimPages(other.shard, saleId, claimsPerPage)) {
      await record(page.filter(({ shopperId }) => !listed.has(shopperId)))
    }
  }
  await record([...listed.values()])
}

/**
 * All claims of the table, once it has every claim that the lost shards know, unsent ones included:
 * those are about to be removed. While claims keep arriving the list is never complete, and need not
 * be: a packet whose claim is missing is held back.
 */
async function creditAll(recovery: RecoveryRun, lists: readonly PacketList[]): Promise<CreditedByShopper | undefined> {
  const { sale, table, clock, sleep, deadline, signal } = recovery
  const shards = lists.map(({ shard }) => shard)
  for (;;) {
    signal.throwIfAborted()
    const { waiting } = await creditOutbox(recovery, sale, { ageMs: 0, shards })
    const before = await readCredited(recovery, sale.saleId)
    const found = before && (await creditMissing(recovery, sale, before, { ageMs: 0, shards }))
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
