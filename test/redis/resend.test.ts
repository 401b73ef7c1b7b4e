/** Messages of the outbox as they are sent again, in batches. */
import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../core/ids.ts'
import { orderMessage } from '../../core/order-message.ts'
import { readJson } from '../../core/parse.ts'
import type { Sale } from '../../core/sale.ts'
import { acknowledge, messagesPerPage, outboxPages, outboxSize, takeAllDue } from '../../redis/outbox.ts'
import { reserve } from '../../redis/reserve.ts'
import { warmStock } from '../../redis/warm.ts'
import { aPurchase, aSale } from './support.ts'
import { useRedis } from './test-store.ts'

const stock = useRedis()

describe('the outbox', () => {
  async function sold(shoppers: number): Promise<{ sale: Sale; orderIds: OrderId[] }> {
    const sale = aSale({ stock: shoppers })
    await warmStock(stock, sale)
    const purchases = Array.from({ length: shoppers }, (_, shopper) => aPurchase(sale, shopper))
    await Promise.all(purchases.map((purchase) => reserve(stock, purchase)))
    return { sale, orderIds: purchases.map(({ orderId }) => orderId) }
  }

  async function walk({ saleId }: Sale): Promise<Map<OrderId, string>> {
    const found = new Map<OrderId, string>()
    for await (const page of outboxPages(stock, saleId, messagesPerPage)) {
      for (const { orderId, body } of page) found.set(orderId, body)
    }
    return found
  }

  it('lists every waiting message, and removes acknowledged ones (O4, O5)', async () => {
    const { sale, orderIds } = await sold(250)
    const found = await walk(sale)
    expect([...found.keys()].toSorted()).toEqual(orderIds.toSorted())
    for (const [orderId, body] of found) {
      const read = readJson(orderMessage, body)
      expect(read.ok && read.value.orderId).toBe(orderId)
    }
    await acknowledge(stock, sale.saleId, orderIds.slice(1))
    expect([...(await walk(sale)).keys()]).toEqual(orderIds.slice(0, 1))
    expect(await outboxSize(stock, sale.saleId)).toBe(1)
  })

  it('gives each message to one of two dispatchers, however many there are (O5)', async () => {
    const { sale, orderIds } = await sold(450)
    const claim = () => takeAllDue(stock, sale.saleId, orderIds, 1_000_000, 10_000)
    const [one, other] = await Promise.all([claim(), claim()])
    expect(one.size + other.size).toBe(450)
    expect([...one.keys(), ...other.keys()].toSorted()).toEqual(orderIds.toSorted())
  })

  it('counts the dispatches of a message, leaves it unchanged and pauses between two (O7)', async () => {
    const { sale, orderIds } = await sold(1)
    const before = await walk(sale)
    const claim = (now: number) => takeAllDue(stock, sale.saleId, orderIds, now, 10_000)
    const [orderId] = orderIds
    expect(await claim(1_000_000)).toEqual(new Map([[orderId, 1]]))
    expect(await claim(1_009_999)).toEqual(new Map())
    expect(await claim(1_010_000)).toEqual(new Map([[orderId, 2]]))
    expect(await walk(sale)).toEqual(before)
  })

  it('claims no removed message, and none of an unknown sale', async () => {
    const { sale, orderIds } = await sold(2)
    await acknowledge(stock, sale.saleId, orderIds.slice(0, 1))
    const claimed = await takeAllDue(stock, sale.saleId, orderIds, 1_000_000, 0)
    expect([...claimed.keys()]).toEqual(orderIds.slice(1))
    const { saleId } = aSale()
    expect(await takeAllDue(stock, saleId, orderIds, 1_000_000, 0)).toEqual(new Map())
    expect(await takeAllDue(stock, sale.saleId, [], 1_000_000, 0)).toEqual(new Map())
    expect(await outboxSize(stock, saleId)).toBe(0)
  })
})
