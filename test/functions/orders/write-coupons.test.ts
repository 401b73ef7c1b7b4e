/** Orders of coupons: a code that a shopper may have seen never changes, even if steps are repeated. */
import { describe, expect, it } from 'vitest'
import type { CouponCode } from '../../../core/orders/coupon.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { withCouponEntries } from '../../../functions/table/orders/coupon-orders.ts'
import { couponCodeOf } from '../../../proof/simulation/parts/coupons.ts'
import { range } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'
import { type OpenWriter, openWriter } from '../../world/consumers.ts'
import { idOf, orderMessageOf } from '../../world/messages.ts'
import { scripted } from '../table/scripted-table.ts'

const couponSale = (changes: Partial<Sale> = {}) => aSale({ kind: 'coupon', price: 0, stock: 100, ...changes })

const codesOf = async ({ book }: OpenWriter, sale: Sale, shopper: number) =>
  (await book.find(idOf({ sale, shopper })))?.coupons ?? []

describe('the writer of orders of coupons', () => {
  it('writes each as done, with a code of its own for each unit, and sets no timer (S7)', async () => {
    const sale = couponSale({ limitPerShopper: 3, maxPerOrder: 3 })
    const rig = await openWriter([sale])
    const messages = range(49).map((shopper) => orderMessageOf({ sale, shopper, quantity: 1 + (shopper % 3) }))
    expect(await rig.write(messages)).toEqual([])
    const all: CouponCode[] = []
    for (const shopper of range(49)) {
      const order = await rig.book.find(idOf({ sale, shopper }))
      expect(order).toMatchObject({ status: 'fulfilled', amount: 0 })
      expect(order?.coupons).toHaveLength(1 + (shopper % 3))
      all.push(...(order?.coupons ?? []))
    }
    expect(new Set(all).size).toBe(all.length)
    expect(rig.deadlines.messages).toEqual([])
  })

  it('keeps the codes when the reply of the table is lost and the batch is redelivered (I2, I5, O6)', async () => {
    const sale = couponSale()
    const rig = await openWriter([sale])
    const { ports, book } = rig
    ports.writer = {
      write: async (chunk) => {
        await book.write(chunk)
        return { kind: 'unavailable', cause: new Error('the reply was lost') }
      },
    }
    const messages = range(5).map((shopper) => orderMessageOf({ sale, shopper }))
    expect(await rig.write(messages)).toHaveLength(5)
    const seen = await Promise.all(range(5).map((shopper) => codesOf(rig, sale, shopper)))
    expect(new Set(seen.flat()).size).toBe(5)
    ports.writer = book
    expect(await rig.write(messages)).toEqual([])
    expect(await Promise.all(range(5).map((shopper) => codesOf(rig, sale, shopper)))).toEqual(seen)
    expect(rig.telemetry.counted('DuplicatesDropped')).toBe(5)
  })

  it('keeps the codes of the other orders when a transaction is retried without some', async () => {
    const sale = couponSale()
    const rig = await openWriter([sale])
    await rig.write([orderMessageOf({ sale, shopper: 1 })])
    rig.book.beBusy(3)
    const chunks: (readonly CouponCode[] | undefined)[] = []
    rig.ports.writer = {
      write: (chunk) => {
        chunks.push(chunk.find(({ order }) => order.orderId === idOf({ sale, shopper: 2 }))?.order.coupons)
        return rig.book.write(chunk)
      },
    }
    expect(await rig.write([1, 2].map((shopper) => orderMessageOf({ sale, shopper })))).toEqual([])
    expect(chunks).toHaveLength(5)
    expect(new Set(chunks.map((codes) => codes?.join())).size).toBe(1)
    expect(await codesOf(rig, sale, 2)).toEqual(chunks[0])
  })

  it('writes a full batch of the largest orders a few at a time, and each of them once (S7, O7)', async () => {
    const sale = couponSale({ stock: -1, limitPerShopper: 1000, maxPerOrder: 1000 })
    const rig = await openWriter([sale])
    const entries: unknown[] = []
    const table = scripted({})
    const { send } = table.client
    table.client.send = async (command: never) => {
      // One after the other, as in a table that is nearly too slow.
      await rig.ports.sleep(30)
      entries.push(command)
      return send(command)
    }
    rig.ports.writer = withCouponEntries(table, rig.book)
    let left = range(49).map((shopper) => orderMessageOf({ sale, shopper, quantity: 1000 }))
    const written: number[] = []
    while (left.length > 0) {
      const redeliver = new Set(await rig.write(left))
      written.push(left.length - redeliver.size)
      left = left.filter(({ messageId }) => redeliver.has(messageId))
    }
    expect(written).toEqual([19, 19, 11])
    expect(await rig.book.sold(sale.saleId)).toBe(49_000)
    // The order at each deadline had its entries; a redelivered message has new codes.
    expect(entries.length).toBeLessThanOrEqual(49 * 10 + 2 * 10)
  })

  it('gives no code to an order over the cap or over the limit (I1, I3)', async () => {
    const sale = couponSale({ stock: 1, limitPerShopper: 1 })
    const rig = await openWriter([sale])
    const [first, late] = [orderMessageOf({ sale, shopper: 1 }), orderMessageOf({ sale, shopper: 2 })]
    await rig.write([first, late, orderMessageOf({ sale, shopper: 3, quantity: 2 })])
    for (const [shopper, reason] of [
      [2, 'over-cap'],
      [3, 'over-limit'],
    ] as const) {
      const order = await rig.book.find(idOf({ sale, shopper }))
      expect(order).toMatchObject({ status: 'rejected', reason })
      expect(order).not.toHaveProperty('coupons')
    }
  })

  it('writes no code to a log, even after a failure', async () => {
    const sale = couponSale({ stock: 2, limitPerShopper: 1 })
    const rig = await openWriter([sale])
    const messages = range(4).map((shopper) => orderMessageOf({ sale, shopper }))
    rig.book.goDown()
    await rig.write(messages)
    rig.book.comeUp()
    rig.ports.shopfront = { refresh: () => Promise.reject(new Error('S3 is unavailable')) }
    await rig.write([...messages, orderMessageOf({ sale, shopper: 1, order: 2 })])
    const said = JSON.stringify(rig.telemetry.lines)
    expect(rig.telemetry.lines.length).toBeGreaterThan(4)
    for (const n of range(20)) expect(said).not.toContain(couponCodeOf(n))
  })
})
