/**
 * The cost of a shopper's list of orders, and that its pages contain every order once: with a real
 * table and a real Redis.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { capPartWriter } from '../../functions/orders/cap-part-writer.ts'
import { newOrder } from '../../functions/orders/new-order.ts'
import { cacheOffers } from '../../functions/orders/offers.ts'
import { ordersApp } from '../../functions/orders/orders-http.ts'
import type { ListPorts } from '../../functions/orders/read-orders.ts'
import { dynamoOrderWriter } from '../../functions/table/orders/order-writer.ts'
import { addSale } from '../../functions/table/sale/sales.ts'
import { openCap } from '../../functions/table/stock/cap-item.ts'
import { transact } from '../../functions/table/transaction.ts'
import { countedCoupons } from '../../proof/simulation/parts/coupons.ts'
import { answerTo, forwardedRequest } from '../../proof/simulation/parts/requests.ts'
import { reserve } from '../../redis/buy/reserve.ts'
import type { Commander } from '../../redis/command.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { aPurchase, aSale, orderIdOf, shopperIdOf, useRedisRig } from '../redis/support.ts'
import { useTable } from './cloud.ts'
import { range } from './table-rig.ts'

const redis = useRedisRig()
const dynamoDb = useTable()

/** The names of the commands since `reads` was emptied. */
const reads: string[] = []
beforeEach(() => {
  reads.length = 0
})

function countingPorts(): ListPorts {
  const { client, name } = dynamoDb.table
  const send = client.send.bind(client)
  const counting = Object.create(client) as typeof client
  counting.send = ((command: { constructor: { name: string } }) => {
    reads.push(command.constructor.name)
    return send(command as never)
  }) as typeof client.send
  const table = { client: counting, name }
  const stock: Commander = {
    exec: (args) => {
      reads.push('redis')
      return redis.redis.exec(args)
    },
  }
  return {
    stock,
    table,
    clock: Date.now,
    // Without an instance's memory, each list reads its sales.
    offers: cacheOffers(table),
  }
}

type Listed = { orders: { orderId: OrderId; status: string; coupons?: string[] }[]; next: string | null }

async function list(shopper: number, query = ''): Promise<Listed> {
  const answer = await answerTo(
    ordersApp(countingPorts()),
    forwardedRequest(shopperIdOf(shopper), 'GET', `/api/orders${query}`),
  )
  expect(answer.statusCode, answer.body).toBe(200)
  return JSON.parse(answer.body)
}

/** All pages of a list, and the most reads that one of them cost. */
async function walk(shopper: number, query: string) {
  const ids: OrderId[] = []
  let most = 0
  let next: string | null = null
  do {
    reads.length = 0
    const after: string = next === null ? '' : `${query === '' ? '?' : '&'}after=${next}`
    const page: Listed = await list(shopper, `${query}${after}`)
    ids.push(...page.orders.map(({ orderId }) => orderId))
    most = Math.max(most, reads.length)
    next = page.next
  } while (next !== null)
  return { ids, most }
}

/** Far enough apart for the throttle of one shopper. */
const timeOf = (order: number) => order * 60_000

/** A sale in which one shopper reserves `count` orders of one unit, of which the first `written` are written. */
async function saleOfOneShopper(shopper: number, count: number, written: number, changes: Partial<Sale> = {}) {
  const sale = aSale({ stock: 1000, limitPerShopper: 1000, endsAt: timeOf(1000), ...changes })
  await addSale(dynamoDb.table, sale, {
    who: 'mara',
    ip: '192.0.2.1',
    what: 'create',
    saleId: sale.saleId,
    when: 1,
    before: null,
    after: null,
  } as never)
  await warmStock(redis.redis, sale)
  await transact(dynamoDb.table, openCap(dynamoDb.table.name, sale.saleId, { stock: sale.stock }))
  const book = capPartWriter({ writer: dynamoOrderWriter(dynamoDb.table), table: dynamoDb.table, random: Math.random })
  const makeCoupons = countedCoupons()
  for (const order of range(count)) {
    const purchase = aPurchase(sale, shopper, order, { now: timeOf(order) })
    const taken = await reserve(redis.redis, purchase)
    if (taken.kind !== 'reserved') throw new Error(`order ${order} is ${taken.kind}`)
  }
  for (let start = 1; start <= written; start += 45) {
    const entries = range(Math.min(45, written - start + 1), start).map((order) => {
      const purchase = aPurchase(sale, shopper, order, { now: timeOf(order) })
      const fresh = newOrder({ ...purchase, reservedAt: purchase.now }, sale, 9_000, makeCoupons)
      return { order: fresh, messageIds: [], limit: 1000, capped: true }
    })
    // One buyer's orders of one sale share an item, which may occur once in a transaction.
    for (const entry of entries) {
      const wrote = await book.write([entry])
      if (wrote.kind !== 'written') throw new Error(wrote.kind)
    }
  }
  return { sale, ids: range(count).map((order) => orderIdOf(sale.saleId, shopper, order)) }
}

describe('the list of a shopper’s own orders', () => {
  it('costs a bounded number of reads, however many orders there are', async () => {
    const { sale, ids } = await saleOfOneShopper(1, 130, 125)
    const page = await list(1, `?sale=${sale.saleId}`)
    // The list, Redis's record of the shopper, the orders, the sale of the unwritten ones.
    expect(reads.toSorted()).toEqual(['BatchGetCommand', 'BatchGetCommand', 'QueryCommand', 'redis'])
    expect(page.orders.slice(0, 6).map(({ status }) => status)).toEqual([
      ...range(5).map(() => 'reserved'),
      'awaiting-payment',
    ])
    const ofSale = await walk(1, `?sale=${sale.saleId}`)
    expect(ofSale.ids).toEqual(ids.toReversed())
    expect(ofSale.most).toBeLessThanOrEqual(5)
    const all = await walk(1, '')
    expect(all.ids).toEqual(ids.slice(0, 125).toReversed())
    // The list, the orders, their sale.
    expect(all.most).toBeLessThanOrEqual(3)
    const large = await walk(1, '?limit=50')
    expect([large.ids.length, large.most]).toEqual([125, 3])
  })

  it('of one sale finds the order behind those of other sales, page by page', async () => {
    const first = await saleOfOneShopper(2, 1, 1)
    await saleOfOneShopper(2, 130, 130)
    const { ids, most } = await walk(2, `?sale=${first.sale.saleId}`)
    expect(ids).toEqual(first.ids)
    expect(most).toBeLessThanOrEqual(3)
  })

  it('reads the sales of all coupons on a page at once', async () => {
    for (let sales = 0; sales < 6; sales += 1) await saleOfOneShopper(3, 1, 1, { kind: 'coupon', price: 0 })
    const { orders } = await list(3)
    expect(orders.map(({ coupons }) => coupons?.length)).toEqual(range(6).map(() => 1))
    expect(reads).toEqual(['QueryCommand', 'BatchGetCommand', 'BatchGetCommand'])
  })
})
