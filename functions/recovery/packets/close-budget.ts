/**
 * Returns the unclaimed money of a red-packet sale after its end. First it removes the unclaimed packets, so that nobody can
 * claim one. Then it closes the budget, once every claim is credited, so that claimed and returned money add up to the whole
 * budget. After that nothing is credited.
 */
import type { SaleId } from '../../../core/ids.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { retirePackets } from '../../../redis/packets/packets.ts'
import { onlyShard } from '../../../redis/shards.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { messagesIn } from '../../lib/shop/shop.ts'
import { saleTotals } from '../../table/sale/sale-orders.ts'
import { closeBudget, findSale } from '../../table/sale/sales.ts'
import type { SaleTotals } from '../../table/stock/cap-item.ts'
import type { RepairPorts } from '../ports.ts'
import { holdAgeMs } from '../stock/compare-holds.ts'
import { readDrift } from '../stock/drift.ts'
import { deliveryMs } from '../stock/held-back.ts'

/**
 * How long the budget stays open after the end of the sale, ms: longer than clocks differ, and long enough for a late change of
 * the end or a late claim. A sale that a marketer closed needs no delay.
 */
export const closeDelayMs = 60_000

/** Closes a due budget; resolves with the returned money in minor units, if any. @throws when a part is unavailable */
export async function returnUnclaimed(ports: RepairPorts, listed: Sale): Promise<number | undefined> {
  const { stock, orderQueue, table, clock, newId, log } = ports
  const { saleId } = listed
  const now = clock()
  if (!isClosable(listed, now)) return undefined
  const before = (await saleTotals(table, saleId))?.money
  if (before === undefined || before.closedAt !== undefined) return undefined
  const present = (await findSale(table, saleId))?.sale
  if (present === undefined || !isClosable(present, now)) return undefined
  if (await mayClaimArrive(ports, saleId, now)) return undefined
  if ((await retirePackets(await onlyShard(stock, saleId), saleId, now)) === 'open') return undefined
  const totals = await saleTotals(table, saleId)
  const money = totals?.money
  if (money === undefined || (await readDrift(ports, saleId, holdAgeMs)) !== 0) return undefined
  if (now < lastArrival(present, totals) && messagesIn(await orderQueue.depth()) > 0) return undefined
  const { budget, claimed } = money
  const returned = budget - claimed
  const audit = {
    ...{ who: 'reconcile', requestId: newId(), what: 'return' as const, saleId, when: now },
    before: null,
    after: { budget, claimed, returned, currency: present.currency },
  }
  if ((await closeBudget(table, saleId, claimed, audit)) === 'conflict') return undefined
  log.info('unclaimed money of the packets returned', { saleId, budget, claimed, returned })
  return returned
}

/** True while a claim that Redis has lost may still arrive for packets that are held back: its money must be there. */
async function mayClaimArrive(ports: RepairPorts, saleId: SaleId, now: number): Promise<boolean> {
  const { table } = ports
  const stock = await readStock(ports.stock, saleId)
  if (stock === undefined || stock.heldBack === 0) return false
  const redrivenAt = (await saleTotals(table, saleId))?.redrivenAt ?? 0
  return now < Math.max(stock.heldSince, redrivenAt) + deliveryMs
}

/**
 * Returns when no claim that Redis has lost can arrive any more, epoch ms. Until then the shared order queue has to be empty.
 */
function lastArrival({ flag, endsAt, updatedAt }: Sale, totals: SaleTotals | undefined): number {
  const closedAt = flag === 'closed' ? updatedAt : endsAt
  return Math.max(closedAt, totals?.redrivenAt ?? 0) + deliveryMs
}

/** True when the sale has ended and no clock difference can reopen it. */
function isClosable(sale: Sale, now: number): boolean {
  const { kind, warmed, flag, endsAt } = sale
  if (kind !== 'red-packet' || !warmed || !hasEnded(sale, now)) return false
  return flag === 'closed' || now >= endsAt + closeDelayMs
}
