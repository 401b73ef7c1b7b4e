import { describe, expect, it } from 'vitest'
import { parse } from '../../../core/lib/parse.ts'
import { orderMessage } from '../../../core/orders/order-message.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { readCounts } from '../../../proof/stock-counts.ts'
import { maxOrdersPerCall } from '../../../redis/batch.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { acknowledge, claimAllDue, claimDue, outboxSize, recordRefused } from '../../../redis/orders/outbox.ts'
import { readHold } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aPurchase, aSale, orderIdOf, shopperIdOf, useRedisRig, waitingIn } from '../support.ts'

const rig = useRedisRig()

async function sold(units: number): Promise<Sale> {
  const sale = aSale({ stock: units })
  await warmStock(rig.redis, sale)
  await Promise.all(Array.from({ length: units }, (_, shopper) => reserve(rig.redis, aPurchase(sale, shopper))))
  return sale
}

const walk = (sale: Sale, count: number) => waitingIn(rig.redis, sale.saleId, count)

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

  it('removes only what is acknowledged, once or twice', async () => {
    const sale = await sold(3)
    const two = [orderIdOf(sale.saleId, 0, 1), orderIdOf(sale.saleId, 1, 1)]
    await acknowledge(rig.redis, sale.saleId, two)
    await acknowledge(rig.redis, sale.saleId, two)
    await acknowledge(rig.redis, sale.saleId, [])
    expect((await walk(sale, 10)).map(({ orderId }) => orderId)).toEqual([orderIdOf(sale.saleId, 2, 1)])
    expect(await outboxSize(rig.redis, sale.saleId)).toBe(1)
  })

  it('of an unknown sale is empty', async () => {
    const sale = aSale()
    expect(await walk(sale, 10)).toEqual([])
    expect(await outboxSize(rig.redis, sale.saleId)).toBe(0)
  })
})

describe('claiming messages to send again', () => {
  const claim = (sale: Sale, shoppers: number[], now: number, minAgeMs = 10_000) => {
    const orderIds = shoppers.map((shopper) => orderIdOf(sale.saleId, shopper, 1))
    return claimDue(rig.redis, sale.saleId, orderIds, { now, minAgeMs })
  }
  const idOf = (sale: Sale, shopper: number) => orderIdOf(sale.saleId, shopper, 1)

  it('counts the send and records its time, and leaves the message as it is (O5, O7)', async () => {
    const sale = await sold(1)
    const [first] = await walk(sale, 10)
    if (first === undefined) throw new Error('the outbox is empty')
    expect(first).toMatchObject({ sends: 0, isRefused: false, sentAt: undefined })
    for (let sends = 1; sends <= 3; sends += 1) {
      const now = 1_000_000 + sends * 10_000
      expect(await claim(sale, [0], now)).toEqual(new Map([[idOf(sale, 0), sends]]))
      expect(await walk(sale, 10)).toEqual([{ ...first, sends, sentAt: now }])
      await recordRefused(rig.redis, sale.saleId, [{ ...first, sends }], now)
      expect(await walk(sale, 10)).toEqual([{ ...first, sends, isRefused: true, sentAt: now }])
    }
    await recordRefused(rig.redis, sale.saleId, [], 1_000_000)
    expect(await outboxSize(rig.redis, sale.saleId)).toBe(1)
  })

  it('gives each message to one of two callers, however many there are (O5)', async () => {
    const sale = await sold(450)
    const orderIds = Array.from({ length: 450 }, (_, shopper) => idOf(sale, shopper))
    const all = () => claimAllDue(rig.redis, sale.saleId, orderIds, { now: 1_000_000, minAgeMs: 10_000 })
    const [one, other] = await Promise.all([all(), all()])
    expect(one.size + other.size).toBe(450)
    expect([...one.keys(), ...other.keys()].toSorted()).toEqual(orderIds.toSorted())
  })

  it('waits for the minimum age since the last attempt, to the millisecond, and not without one', async () => {
    const sale = await sold(1)
    await claim(sale, [0], 1_000_000)
    expect(await claim(sale, [0], 1_009_999)).toEqual(new Map())
    expect(await claim(sale, [0], 1_010_000)).toEqual(new Map([[idOf(sale, 0), 2]]))
    expect(await claim(sale, [0], 1_010_000, 0)).toEqual(new Map([[idOf(sale, 0), 3]]))
  })

  it('skips what was acknowledged meanwhile, and restores nothing (O4)', async () => {
    const sale = await sold(3)
    await acknowledge(rig.redis, sale.saleId, [idOf(sale, 1)])
    const claimed = await claim(sale, [0, 1, 2, 7], 1_000_000)
    expect([...claimed.keys()]).toEqual([idOf(sale, 0), idOf(sale, 2)])
    expect(await outboxSize(rig.redis, sale.saleId)).toBe(2)
  })

  it('returns a message with blanks and digits unchanged', async () => {
    const sale = aSale()
    await warmStock(rig.redis, sale)
    const requestId = '7 000000000000009 {"a":1}\nnext line'
    const made = await reserve(rig.redis, aPurchase(sale, 0, 1, { requestId }))
    if (made.kind !== 'reserved') throw new Error('a unit was reserved')
    for (const sends of [1, 2]) {
      await claim(sale, [0], 1_000_000, 0)
      const messages = await walk(sale, 10)
      expect(messages).toMatchObject([{ body: JSON.stringify(made.message), sends }])
      await recordRefused(rig.redis, sale.saleId, messages, 1_000_000)
    }
  })

  it('of nothing, of an unknown sale, or of too many at once changes nothing', async () => {
    const sale = await sold(1)
    expect(await claim(sale, [], 1_000_000)).toEqual(new Map())
    expect(await claim(aSale(), [0], 1_000_000)).toEqual(new Map())
    const many = Array.from({ length: maxOrdersPerCall + 1 }, (_, shopper) => shopper)
    await expect(claim(sale, many, 1_000_000)).rejects.toThrow(RangeError)
    expect(await walk(sale, 10)).toMatchObject([{ sends: 0, sentAt: undefined }])
  })
})

describe('the snapshot of a sale', () => {
  it('has every reservation once, however many pages that takes (I4)', async () => {
    const sale = await sold(2_500)
    const books = await readCounts(rig.redis, sale.saleId)
    expect(books).toMatchObject({ total: 2_500, booked: 2_500, outbox: 2_500 })
    expect(new Set(books?.holds.map(({ orderId }) => orderId)).size).toBe(2_500)
    expect(books?.holds.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(2_500)
  })

  it('is missing for an unknown sale, and an unknown order has no hold', async () => {
    const { saleId } = aSale()
    expect(await readCounts(rig.redis, saleId)).toBeUndefined()
    expect(await readHold(rig.redis, orderIdOf(saleId, 1, 1), shopperIdOf(1))).toBeUndefined()
  })
})
