/** The tables of orders, each behind the same ports, and orders for them. */

import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { OrderId, SaleId, ShopperId } from '../../core/ids.ts'
import type { FinalOrder, Order, OrderStatus } from '../../core/orders/order.ts'
import { budgetOf } from '../../core/packets/packets.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { stocksById, type VariantUnits } from '../../core/sale/variants.ts'
import type { Table } from '../../functions/lib/shop/shop.ts'
import { capPartWriter } from '../../functions/orders/cap-part-writer.ts'
import { buyerKey, deliveryKey } from '../../functions/table/keys.ts'
import type { OrderChange } from '../../functions/table/orders/change-orders.ts'
import { withCouponEntries } from '../../functions/table/orders/coupon-orders.ts'
import type { OrderEntry } from '../../functions/table/orders/order-entry.ts'
import { dynamoOrderWriter, type OrderWriter } from '../../functions/table/orders/order-writer.ts'
import { addToParts, closeCap, openCap } from '../../functions/table/stock/cap-item.ts'
import { transact } from '../../functions/table/transaction.ts'
import { aSale, orderIdOf, shopperIdOf } from '../redis/support.ts'
import { ledgerOf } from '../world/ledger.ts'
import { rigsOf, type TestTable } from './cloud.ts'
import { describeEach } from './each.ts'

export type TableRig = ReturnType<typeof rigOf>

function booksOf(table: Table, plainBook: OrderWriter) {
  const newWriter = () => withCouponEntries(table, capPartWriter({ writer: plainBook, table, random: Math.random }))
  return { plainBook, newWriter, book: newWriter() }
}

/** The book of one writer; every order of the plain one names its part of the cap, the first part if it names none. */
function rigOf({ table, stop }: TestTable) {
  const { client, name } = table
  return {
    table,
    ...booksOf(table, dynamoOrderWriter(table)),
    ledger: ledgerOf(table),
    storeDelivery: async (orderId: OrderId): Promise<void> => {
      const Item = { ...deliveryKey(orderId), expiresAt: Date.UTC(2100) / 1000 }
      await client.send(new PutCommand({ TableName: name, Item }))
    },
    /** True when this call closed the budget of red packets: no more than `seen` was credited. */
    closeBudget: async (saleId: SaleId, seen: number, closedAt: number): Promise<boolean> =>
      (await transact(table, [closeCap(name, saleId, { seen, closedAt })])) === 'written',
    openCap: (saleId: SaleId, stock: number, budget?: number, variants?: VariantUnits): Promise<unknown> =>
      transact(table, openCap(name, saleId, { stock, budget, variants })),
    addToCap: async (saleId: SaleId, delta: number, units?: VariantUnits): Promise<unknown> =>
      (await transact(table, addToParts(name, saleId, new Map([[0, delta]]), units))) === 'written',
    bought: async (saleId: SaleId, shopperId: ShopperId) => {
      const get = new GetCommand({ TableName: name, Key: buyerKey(saleId, shopperId), ConsistentRead: true })
      return Number((await client.send(get)).Item?.quantity ?? 0)
    },
    stop,
  }
}

/** Runs the same `suite` for every table; `the` gives the running one. */
export function describeTables(what: string, suite: (the: () => TableRig, name: string) => void): void {
  describeEach(what, rigsOf(rigOf), suite)
}

/** A sale whose stock is warmed. */
export async function openTableSale(rig: TableRig, changes: Partial<Sale> = {}): Promise<Sale> {
  const sale = aSale(changes)
  await openCapOf(rig, sale)
  return sale
}

export const openCapOf = (rig: TableRig, { saleId, stock, variants, ...sale }: Sale): Promise<unknown> =>
  rig.openCap(saleId, stock, sale.packets && budgetOf(sale), variants && stocksById(variants))

/** The facts of an order in a due release. */
export const finalOf = ({ orderId, shopperId }: Order): FinalOrder => ({ orderId, shopperId })

/** An order that awaits its payment, unless `changes` say otherwise. */
export function orderOf(
  { saleId }: Pick<Sale, 'saleId'>,
  shopper: number,
  order = 1,
  changes: Partial<Order> = {},
): Order {
  return {
    orderId: orderIdOf(saleId, shopper, order),
    saleId,
    shopperId: shopperIdOf(shopper),
    quantity: 1,
    amount: 10,
    currency: 'CNY',
    status: 'awaiting-payment',
    reservedAt: 5_000,
    writtenAt: 6_000,
    payBy: 906_000,
    cancelAt: 906_000,
    history: [
      { at: 5_000, what: 'reserved', status: 'reserved' },
      { at: 6_000, what: 'written', status: changes.status ?? 'awaiting-payment' },
    ],
    ...changes,
  }
}

export function entryOf(sale: Sale, order: Order): OrderEntry {
  const budget = order.packet && budgetOf(sale)
  return { order, messageIds: [], limit: sale.limitPerShopper, capped: sale.stock !== -1, budget }
}

/** Writes `orders` of one sale, which must succeed. */
export async function write({ book }: TableRig, sale: Sale, orders: readonly Order[]): Promise<void> {
  const entries = orders.map((order) => entryOf(sale, order))
  const first = await book.write(entries)
  const written = first.kind === 'begun' ? await book.write(entries) : first
  if (written.kind !== 'written') throw new Error(`the orders were not written: ${written.kind}`)
}

export function step(order: Order, status: OrderStatus, changes: Partial<Order> = {}): OrderChange {
  const history = [...order.history, { at: 7_000, what: `became ${status}`, status }]
  return { from: order, to: { ...order, ...changes, status, history } }
}

export function range(count: number, from = 1): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}
