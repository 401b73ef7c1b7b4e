import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderMessage } from '../../core/order-message.ts'
import { parse } from '../../core/parse.ts'
import type { Sale } from '../../core/sale.ts'
import { readBooks } from '../../redis/books.ts'
import { acknowledge, outboxSize, type PendingMessage, pendingMessages } from '../../redis/outbox.ts'
import { reserve } from '../../redis/reserve.ts'
import { readHold } from '../../redis/stock.ts'
import { warm } from '../../redis/warm.ts'
import { aPurchase, aSale, orderIdOf, type RedisRig, startRedisRig } from './support.ts'

let rig: RedisRig
beforeAll(async () => {
  rig = await startRedisRig()
})
afterAll(() => rig.stop())

async function sold(units: number): Promise<Sale> {
  const sale = aSale({ stock: units })
  await warm(rig.redis, sale)
  await Promise.all(
    Array.from({ length: units }, (_, shopper) => reserve(rig.redis, aPurchase(sale, shopper))),
  )
  return sale
}

async function walk(sale: Sale, count: number): Promise<PendingMessage[]> {
  const found: PendingMessage[] = []
  let cursor: string | undefined
  do {
    const page = await pendingMessages(rig.redis, sale.saleId, { count, ...(cursor && { cursor }) })
    found.push(...page.messages)
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

describe('the outbox', () => {
  it('shows every waiting message, page by page, each one a valid order message (O4, O5)', async () => {
    const sale = await sold(600)
    const messages = await walk(sale, 50)
    expect(new Set(messages.map(({ orderId }) => orderId)).size).toBe(600)
    for (const { orderId, body } of messages) {
      const read = parse(orderMessage, JSON.parse(body))
      expect(read.ok && read.value.orderId).toBe(orderId)
    }
  })

  it('forgets what is acknowledged and nothing else, once or twice', async () => {
    const sale = await sold(3)
    const two = [orderIdOf(sale.saleId, 0, 1), orderIdOf(sale.saleId, 1, 1)]
    await acknowledge(rig.redis, sale.saleId, two)
    await acknowledge(rig.redis, sale.saleId, two)
    await acknowledge(rig.redis, sale.saleId, [])
    expect((await walk(sale, 10)).map(({ orderId }) => orderId)).toEqual([orderIdOf(sale.saleId, 2, 1)])
    expect(await outboxSize(rig.redis, sale.saleId)).toBe(1)
  })

  it('of a sale nobody knows is empty', async () => {
    const sale = aSale()
    expect(await walk(sale, 10)).toEqual([])
    expect(await outboxSize(rig.redis, sale.saleId)).toBe(0)
  })
})

describe('the books', () => {
  it('hold every reservation once, however many pages that takes (I4)', async () => {
    const sale = await sold(2_500)
    const books = await readBooks(rig.redis, sale.saleId)
    expect(books).toMatchObject({ total: 2_500, booked: 2_500, buyers: 2_500, outbox: 2_500 })
    expect(new Set(books?.holds.map(({ orderId }) => orderId)).size).toBe(2_500)
    expect(books?.holds.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(2_500)
  })

  it('of a sale nobody knows are no books, and an order nobody made has no hold', async () => {
    const { saleId } = aSale()
    expect(await readBooks(rig.redis, saleId)).toBeUndefined()
    expect(await readHold(rig.redis, orderIdOf(saleId, 1, 1))).toBeUndefined()
  })
})
