/** Random batches in random order keep the invariants under any delivery by SQS (I1, I2, I3, I5). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { range } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'
import { openWriter } from '../../world/consumers.ts'
import { type Asked, idOf, orderMessageOf } from '../../world/messages.ts'

const wish = fc.record({
  sale: fc.integer({ min: 0, max: 1 }),
  shopper: fc.integer({ min: 1, max: 12 }),
  order: fc.integer({ min: 1, max: 3 }),
})

describe('write-orders under random deliveries', () => {
  it('writes each order once, within cap and limit, and loses none (I1, I2, I3, I5)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(wish, { maxLength: 60 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 0, max: 3 }),
        async (deliveries, stock, busy) => {
          const sales = [
            aSale({ stock, limitPerShopper: 3, maxPerOrder: 3 }),
            aSale({ stock: -1, limitPerShopper: 2 }),
          ]
          const { book, write } = await openWriter(sales)
          const asked = new Map<string, Asked>()
          let batch = 0
          for (const delivery of deliveries) {
            batch += 1
            if (batch === 2) book.beBusy(busy)
            const messages = delivery.flatMap(({ sale: index, shopper, order }, at) => {
              const sale = sales[index]
              if (sale === undefined) return []
              // An order id always has the same quantity, as in Redis.
              const one = { sale, shopper, order, quantity: 1 + (order % 2) }
              asked.set(idOf(one), one)
              return [orderMessageOf(one, `#${batch}.${at}`)]
            })
            expect(await write(messages)).toEqual([])
          }
          for (const sale of sales) {
            const written = await Promise.all(
              [...asked.values()].filter((one) => one.sale === sale).map((one) => book.find(idOf(one))),
            )
            expect(written.every((order) => order !== undefined)).toBe(true)
            const kept = written.filter((order) => order?.status === 'awaiting-payment')
            const units = (orders: typeof kept) =>
              orders.reduce((sum, order) => sum + (order?.quantity ?? 0), 0)
            expect(await book.sold(sale.saleId)).toBe(units(kept))
            if (sale.stock !== -1) expect(units(kept)).toBeLessThanOrEqual(sale.stock)
            for (const shopper of range(12)) {
              const own = kept.filter((order) => order?.shopperId === `shopper-${shopper}`)
              expect(units(own)).toBeLessThanOrEqual(sale.limitPerShopper)
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
