/** Lists the pending work of a sale, which is at rest when there is none. */
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { dueWork } from '../../../core/sale/sale-life.ts'
import { nextWindow } from '../../../core/sale/windows.ts'
import { isFree } from '../../../core/stock/escrow.ts'
import { dueAuthorisations, dueRefunds } from '../../../functions/table/orders/due-money.ts'
import { dueReleases } from '../../../functions/table/orders/releases.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import type { SaleTotals } from '../../../functions/table/stock/cap-item.ts'
import { findEscrow } from '../../../functions/table/stock/escrows.ts'
import { readShards } from '../../../redis/stock/stock.ts'
import { readCounts } from '../../stock-counts.ts'
import type { World } from '../world.ts'

/** Returns all pending work; empty when the sale is at rest. */
export async function pendingWork(world: World): Promise<string[]> {
  const { truth, stocks, saleId, queues, provider, simulation } = world
  const sale = await world.sale()
  const shards = (await readShards(stocks, saleId)).map((shard) => (shard instanceof Error ? undefined : shard))
  const escrow = await findEscrow(truth.table, saleId)
  const books = await readCounts(stocks, saleId)
  const due = await dueReleases(truth.table, saleId)
  const refunds = await dueRefunds(truth.table)
  const authorisations = await dueAuthorisations(truth.table)
  const optionWork = await world.option?.pendingWork(world, sale)
  const orders = truth.orders(saleId)
  const open = orders.filter(({ status }) => status === 'awaiting-payment' || status === 'refund-due')
  const written = new Set(orders.map(({ orderId }) => orderId))
  const counts = {
    'actors are working': simulation.unfinished().people,
    'steps are late': simulation.unfinished().steps,
    'messages are in the queue of orders': queues.orders.bodies().length,
    'dead letters can be redriven': Object.values(queues)
      .flatMap(({ dead }) => dead)
      .filter(({ reason }) => reason === undefined).length,
    'timers are set': queues.deadlines.bodies().length,
    'webhooks are not delivered': provider.undelivered(),
    'messages are in the outbox': books?.outbox ?? 0,
    'reservations have no order yet': books?.holds.filter(({ orderId }) => !written.has(orderId)).length ?? 0,
    'releases are due': due.length,
    'refunds are due': refunds.length,
    'authorisations are due': authorisations.length,
    'orders are open': open.length,
    'stocks are missing': shards.filter((shard) => shard === undefined).length,
    'units are held back': shards.reduce((sum, shard) => sum + (shard?.heldBack ?? 0), 0),
    'stocks are frozen': shards.filter((shard) => shard?.frozen).length,
    'shards are not free in the escrow': escrow?.shards.filter((shard) => !isFree(shard)).length ?? 0,
    'windows are due': dueWork(sale, simulation.now()) === undefined ? 0 : 1,
    'windows are still to come': sale.flag !== 'closed' && nextWindow(sale) !== undefined ? 1 : 0,
    'budgets are still to be closed': isLeftOver(sale, simulation.now(), await saleTotals(truth.table, saleId)) ? 1 : 0,
    ...optionWork,
  }
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
}

/** True while an ended sale has unclaimed money that is not returned yet. */
function isLeftOver(sale: Sale, now: number, totals: SaleTotals | undefined): boolean {
  return sale.kind === 'red-packet' && hasEnded(sale, now) && totals?.money?.closedAt === undefined
}
