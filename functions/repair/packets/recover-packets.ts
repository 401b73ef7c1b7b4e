/**
 * Recovers the frozen packets of a sale: the table knows which shopper has which packet,
 * the seed gives the amounts of all others. Claims that Redis still knows are credited first, so that
 * every shopper who was answered 200 keeps the packet. Then all packets are removed and loaded again.
 * Packets that a claim on its way may have are held back (held-packets.ts).
 */

import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { clearPackets, countPackets } from '../../../redis/packets/packets.ts'
import { restoreAllClaims } from '../../../redis/packets/stored-claims.ts'
import { onlyShard } from '../../../redis/shards.ts'
import { packetsUpTo, reloadPackets } from '../../sales/load-packets.ts'
import { saleTotals } from '../../table/sale/sale-orders.ts'
import type { RecoveryRun } from '../ports.ts'
import { type CreditedByShopper, creditMissing, creditOutbox, readCredited } from './claim-drift.ts'
import { handedOutBelow } from './held-packets.ts'

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
