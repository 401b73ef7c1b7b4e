/** One suite for every order book `write-orders` may be wired to; DynamoDB also under parallel writers. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'
import type { Sale } from '../../core/sale.ts'
import { dynamoOrderBook } from '../../functions/adapters/order-book.dynamodb.ts'
import { dynamoOrders } from '../../functions/adapters/orders.dynamodb.ts'
import { dynamoSales } from '../../functions/adapters/sales.dynamodb.ts'
import { capKey } from '../../functions/adapters/table.ts'
import type { OrderBook } from '../../functions/write-orders/commit.ts'
import type { Entry } from '../../functions/write-orders/entry.ts'
import { idOf, mailOf, range, writerRig } from '../functions/write-orders/support.ts'
import { aSale, orderIdOf, shopperIdOf } from '../redis/support.ts'
import { startTable } from './cloud.ts'
import { memoryOrderBook } from './fakes/order-book.ts'

type Rig = {
  book: OrderBook
  openCap: (saleId: SaleId, stock: number) => Promise<void>
  find: (orderId: OrderId) => Promise<Order | undefined>
  sold: (saleId: SaleId) => Promise<number>
  stop: () => Promise<void>
}

async function inMemory(): Promise<Rig> {
  const book = memoryOrderBook()
  return { book, openCap: book.openCap, find: book.find, sold: book.sold, stop: async () => {} }
}

async function inDynamoDb(): Promise<Rig> {
  const { table, stop } = await startTable()
  return {
    book: dynamoOrderBook(table),
    openCap: async (saleId, stock) => {
      const remaining = stock === -1 ? {} : { remaining: stock }
      await table.client.send(
        new PutCommand({ TableName: table.name, Item: { ...capKey(saleId), ...remaining, sold: 0 } }),
      )
    },
    ...dynamoOrders(table),
    sold: dynamoSales(table).sold,
    stop,
  }
}

function entry(sale: Sale, shopper: number, order = 1, changes: Partial<Order> = {}): Entry {
  const base: Order = {
    orderId: orderIdOf(sale.saleId, shopper, order),
    saleId: sale.saleId,
    shopperId: shopperIdOf(shopper),
    quantity: 1,
    amount: 10,
    currency: 'CNY',
    status: 'awaiting-payment',
    reservedAt: 5_000,
    writtenAt: 6_000,
    payBy: 905_000,
  }
  return {
    order: { ...base, ...changes },
    messageIds: [],
    limit: sale.limitPerShopper,
    capped: sale.stock !== -1,
  }
}

describe.each([
  ['memory', inMemory],
  ['DynamoDB', inDynamoDb],
])('the order book in %s', (_name, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  })
  afterAll(() => rig.stop())

  const open = async (changes: Partial<Sale>) => {
    const sale = aSale(changes)
    await rig.openCap(sale.saleId, sale.stock)
    return sale
  }

  it('writes 49 orders at once and reads each back as it was (O3)', async () => {
    const sale = await open({ stock: 49 })
    const chunk = range(49).map((shopper) => entry(sale, shopper))
    expect(await rig.book.write(chunk)).toEqual({ kind: 'written' })
    expect(await rig.find(orderIdOf(sale.saleId, 33, 1))).toEqual(chunk[32]?.order)
    expect(await rig.sold(sale.saleId)).toBe(49)
  })

  it('names the duplicates and writes nothing beside them (O6)', async () => {
    const sale = await open({ stock: 10 })
    await rig.book.write([entry(sale, 1), entry(sale, 2)])
    const refused = await rig.book.write([entry(sale, 2), entry(sale, 3)])
    expect(refused).toMatchObject({ kind: 'refused', duplicates: new Set([orderIdOf(sale.saleId, 2, 1)]) })
    expect(refused).toMatchObject({ overLimit: new Set() })
    expect(await rig.find(orderIdOf(sale.saleId, 3, 1))).toBeUndefined()
    expect(await rig.sold(sale.saleId)).toBe(2)
  })

  it('names a shopper over the limit (I3)', async () => {
    const sale = await open({ stock: 10, limitPerShopper: 2 })
    await rig.book.write([entry(sale, 1, 1, { quantity: 2 })])
    expect(await rig.book.write([entry(sale, 1, 2), entry(sale, 2)])).toMatchObject({
      kind: 'refused',
      duplicates: new Set(),
      overLimit: new Set([orderIdOf(sale.saleId, 1, 2)]),
    })
  })

  it('tells how much a cap still has when it does not suffice (I1)', async () => {
    const sale = await open({ stock: 3 })
    await rig.book.write([entry(sale, 1)])
    expect(await rig.book.write(range(3, 2).map((shopper) => entry(sale, shopper)))).toMatchObject({
      kind: 'refused',
      duplicates: new Set(),
      overLimit: new Set(),
      caps: new Map([[sale.saleId, 2]]),
    })
    expect(await rig.sold(sale.saleId)).toBe(1)
  })

  it('writes a rejected order without touching cap or limit (I2)', async () => {
    const sale = await open({ stock: 1 })
    const rejected = entry(sale, 1, 1, { status: 'rejected', reason: 'over-cap', quantity: 5 })
    expect(await rig.book.write([rejected, entry(sale, 2)])).toEqual({ kind: 'written' })
    expect(await rig.find(rejected.order.orderId)).toEqual(rejected.order)
    expect(await rig.sold(sale.saleId)).toBe(1)
    expect(await rig.book.write([entry(sale, 1, 2)])).toMatchObject({ caps: new Map([[sale.saleId, 0]]) })
  })

  it('counts the orders of an unlimited sale and never runs out (S4)', async () => {
    const sale = await open({ stock: -1 })
    expect(await rig.book.write(range(40).map((shopper) => entry(sale, shopper)))).toEqual({
      kind: 'written',
    })
    expect(await rig.sold(sale.saleId)).toBe(40)
  })

  it('refuses to write for a sale that has no cap (I6)', async () => {
    const sale = aSale({ stock: 5 })
    await expect(rig.book.write([entry(sale, 1)])).rejects.toThrow(/cap/)
    expect(await rig.find(orderIdOf(sale.saleId, 1, 1))).toBeUndefined()
  })

  it('sells exactly the cap to parallel writers of overlapping batches (I1, I2, I3, I5)', async () => {
    const sale = await open({ stock: 100, limitPerShopper: 1, maxPerOrder: 1 })
    const { ports, telemetry, write } = await writerRig([sale])
    ports.book = rig.book
    const batch = (from: number) => range(49, from).map((shopper) => mailOf({ sale, shopper }))
    const failed = await Promise.all([1, 30, 60, 90, 1, 110].map((from) => write(batch(from))))
    expect(failed.flat()).toEqual([])
    const orders = await Promise.all(range(158).map((shopper) => rig.find(idOf({ sale, shopper }))))
    expect(orders.filter((order) => order?.status === 'awaiting-payment')).toHaveLength(100)
    expect(orders.filter((order) => order?.reason === 'over-cap')).toHaveLength(58)
    expect(await rig.sold(sale.saleId)).toBe(100)
    expect(telemetry.counted('OrdersWritten')).toBe(100)
  })
})
