/** Finds where Redis, the table and the answers to shoppers disagree about a sale at rest. */
import type { OrderId } from '../../../core/ids.ts'
import { ownValue } from '../../../core/lib/own-value.ts'
import { holdsUnits, type Order } from '../../../core/orders/order.ts'
import { allPackets } from '../../../core/packets/packets.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { sumByVariant, unitsOfVariant } from '../../../core/sale/variants.ts'
import { readSplitStock, unitsIn } from '../../../functions/sales/split-stock.ts'
import { findCredits } from '../../../functions/table/packets/wallets.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { findEscrow } from '../../../functions/table/stock/escrows.ts'
import { readCounts, withPool } from '../../../proof/stock-counts.ts'
import { readGate } from '../../../redis/gate/gate.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import type { Client } from '../../world/gate.ts'
import { phone } from '../../world/stock-record.ts'
import type { World } from '../../world/world.ts'

/** A purchase or a claim that was answered as won. */
export type Won = {
  client: Client
  at: number
  orderId: OrderId | undefined
  units: number
  variant?: string
  packet?: string
}

export function comparison() {
  const found: string[] = []
  const same = (what: string, is: unknown, should: unknown) => {
    const [seen, wanted] = [JSON.stringify(is), JSON.stringify(should)]
    if (seen !== wanted) found.push(`${what} says ${seen} and should say ${wanted}`)
  }
  return { found, same }
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

export type Same = ReturnType<typeof comparison>['same']

/** Empty when all agree. */
export async function differences(own: World, won: readonly Won[]): Promise<string[]> {
  const { found, same } = comparison()
  const sale = (await findSale(own.table, phone))?.sale
  if (sale === undefined) return ['the sale is gone']
  await (sale.kind === 'red-packet' ? comparePackets(own, sale, won, same) : compareOrders(own, sale, won, same))
  const left = await unitsLeft(own)
  if (!hasEnded(sale, own.clock.now)) {
    same('sold out at the gate', (await readGate(own.redis, phone))?.soldOut, left === 0)
    same('the units left on the page', own.pointer().remaining, left)
  }
  same('messages in the outbox', (await own.waiting()).length, 0)
  same('dead letters', own.queue.dead.length, 0)
  return found
}

/** Units that nobody holds, in every shard and in the pool; -1 without a limit. */
export async function unitsLeft({ ports, stocks }: World): Promise<number | undefined> {
  const look = await readSplitStock(ports, phone)
  return look === undefined ? (await readStock(stocks, phone))?.available : unitsIn(look).available
}

async function compareOrders(own: World, sale: Sale, won: readonly Won[], same: Same): Promise<void> {
  const byId = new Map(won.flatMap((one) => (one.orderId === undefined ? [] : [[one.orderId, one] as const])))
  const orders = await own.table.findMany([...byId.keys()])
  const standing = [...orders.values()].filter(({ status }) => holdsUnits(status))
  same('orders that were answered and are not written (I2)', missing(byId, orders), [])
  for (const { orderId, quantity, variant, status } of orders.values()) {
    const promised = byId.get(orderId)
    same(`the units of ${orderId} (I2)`, [quantity, variant], [promised?.units, promised?.variant])
    same(`whether ${orderId} was rejected (I2)`, status === 'rejected', false)
  }
  const units = sumUnits(standing)
  // The sold units are exactly the stock, because shoppers came until nothing was left.
  if (sale.stock !== -1) same('units sold (I1)', units, sale.stock)
  const counts = await readCounts(own.stocks, phone)
  const totals = await saleTotals(own.table.table, phone)
  same('booked in Redis (I4)', counts?.booked, units)
  same('the sum of holds (I4)', sumUnits(counts?.holds ?? []), units)
  same('sold at the cap (I4)', totals?.sold, units)
  same('orders at the cap (I4)', totals?.orders, standing.length)
  if (sale.stock !== -1) same('remaining at the cap (I4)', totals?.remaining, sale.stock - units)
  const all = counts && withPool(counts, (await findEscrow(own.ports.table, phone))?.pool)
  same('the stock in Redis (I4)', all?.total ?? 0, sale.stock)
  const byShopper = Map.groupBy(standing, ({ shopperId }) => shopperId)
  for (const [shopperId, bought] of byShopper) {
    same(`the total of ${shopperId} (I4)`, own.table.bought(phone, shopperId), sumUnits(bought))
    same(`whether ${shopperId} is within the limit (I3)`, sumUnits(bought) <= sale.limitPerShopper, true)
  }
  compareVariants(sale, standing, all?.variants, totals?.variants, same)
}

function missing(promised: ReadonlyMap<OrderId, Won>, orders: ReadonlyMap<OrderId, Order>): OrderId[] {
  return [...promised.keys()].filter((orderId) => !orders.has(orderId))
}

type VariantCounts = Readonly<Record<string, { left: number }>>

function compareVariants(
  { variants = [] }: Sale,
  standing: readonly Order[],
  redis: unknown,
  table: VariantCounts | undefined,
  same: Same,
): void {
  const sold = sumByVariant(standing)
  for (const { id, stock } of variants) {
    same(`left of ${id} at the cap (N1, I4)`, ownValue(table, id)?.left, stock - unitsOfVariant(sold, id))
  }
  if (variants.length > 0) same('the variants in Redis (N1, I4)', redis !== undefined, true)
}

async function comparePackets(own: World, sale: Sale, won: readonly Won[], same: Same): Promise<void> {
  const whole = allPackets(sale)
  const totals = await saleTotals(own.table.table, phone)
  const packets = new Map<string, number>()
  for (const { client, packet } of won) {
    const credits = await findCredits(own.table.table, client.shopperId)
    const mine = credits.filter(({ saleId }) => saleId === phone)
    same(
      `the packets of ${client.shopperId} (P3, I3)`,
      mine.map((one) => `${phone}-p${one.packet}`),
      [packet],
    )
    for (const { amount } of mine) packets.set(packet ?? '', amount)
  }
  const stock = await readStock(own.stocks, phone)
  same('the stock in Redis (I4)', stock?.total, sale.stock)
  same('packets with an owner (I1)', packets.size, won.length)
  same('packets claimed at the cap (I4)', (totals?.remaining ?? 0) + packets.size, sale.stock)
  const paid = sum([...packets.values()])
  same('money claimed at the cap (P8)', totals?.money?.claimed, paid)
  if (hasEnded(sale, own.clock.now)) {
    same('packets that were claimed in all (I1)', packets.size, whole.count)
    same('money in wallets (P1)', paid, whole.totalAmount)
    same('whether the budget is closed', totals?.money?.closedAt !== undefined, true)
  }
}

const sumUnits = (orders: readonly { quantity: number }[]) => sum(orders.map(({ quantity }) => quantity))
