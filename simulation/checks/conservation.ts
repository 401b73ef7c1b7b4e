/** Redis, the cap and the orders agree on every unit (I4). */
import type { SaleId } from '../../core/ids.ts'
import { holdsUnits, type Order } from '../../core/order.ts'
import { readCounts } from '../../redis/all-holds.ts'
import type { Stocks } from '../../redis/command.ts'
import { recordPages } from '../../redis/holds.ts'
import { readShards } from '../../redis/stock.ts'
import type { World } from '../world.ts'

/** Reports where they differ, for a sale at rest. */
export async function checkConservation(world: World, orders: readonly Order[]): Promise<void> {
  const { violated, stocks, saleId, truth } = world
  const sale = await world.sale()
  const books = await readCounts(stocks, saleId)
  const totals = await truth.saleOrders.totals(saleId)
  if (books === undefined || totals === undefined) {
    return violated('the stock of the sale is missing (I4)')
  }
  const standing = orders.filter(({ status }) => holdsUnits(status))
  const units = sum(standing)
  const same = (what: string, is: number, should: number) => {
    if (is !== should) violated(`${what} is ${is} and should be ${should} (I4)`)
  }
  same('booked in Redis', books.booked, units)
  same('the sum of holds', sum(books.holds), units)
  same('sold at the cap', totals.sold, units)
  same('orders at the cap', totals.orders, standing.length)
  const bank = await truth.banks.find(saleId)
  same('the stock in Redis', books.total + (bank?.pool ?? 0), sale.stock)
  for (const [shard, facts] of (await readShards(stocks, saleId)).entries()) {
    const granted = bank?.shards[shard]?.granted
    if (granted !== undefined && !(facts instanceof Error))
      same(`the total of shard ${shard}`, facts?.total ?? 0, granted)
  }
  if (sale.stock !== -1) same('remaining at the cap', totals.remaining, sale.stock - units)
  const held = new Set<string>(books.holds.map(({ orderId }) => orderId))
  for (const { orderId } of standing)
    if (!held.delete(orderId)) violated(`${orderId} holds units of the stock without a hold (I4)`)
  for (const orderId of held) violated(`${orderId} has a hold, and its order holds no units (I4)`)
  const buyers = await readBuyers(stocks, saleId)
  for (const [shopperId, bought] of Map.groupBy(standing, (order) => order.shopperId)) {
    same(`the total of ${shopperId}`, truth.bought(saleId, shopperId), sum(bought))
    same(`the count in Redis of ${shopperId}`, buyers.get(shopperId) ?? 0, sum(bought))
    buyers.delete(shopperId)
  }
  for (const [shopperId, units] of buyers) same(`the count in Redis of ${shopperId}`, units, 0)
}

/** Units of each shopper as Redis counts them against the limit. */
async function readBuyers(stocks: Stocks, saleId: SaleId): Promise<Map<string, number>> {
  const buyers = new Map<string, number>()
  for await (const page of recordPages(stocks, saleId, 1000)) {
    for (const { shopperId, orders } of page) buyers.set(shopperId, sum(orders))
  }
  return buyers
}

function sum(orders: readonly { quantity: number }[]): number {
  return orders.reduce((units, { quantity }) => units + quantity, 0)
}
