/** Random batches in random order keep the invariants under any delivery by SQS (I1, I2, I3, I5). */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { range } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'
import { openWriter } from '../../world/consumers.ts'
import { type Asked, idOf, orderMessageOf } from '../../world/messages.ts'

const wish = fc.record({
  sale: fc.nat(2),
  shopper: fc.integer({ min: 1, max: 12 }),
  order: fc.integer({ min: 1, max: 3 }),
})

describe('write-orders under random deliveries', () => {
  it('writes each order once, within cap and limit, loses none, and rejects only what does not fit (I1, I2, I3, I5, S8, N1)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(wish, { maxLength: 60 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 0, max: 3 }),
        async (deliveries, stock, busy) => {
          const variants = ['s', 'm'].map((id) => ({ id, name: id, stock }))
          const sales = [
            aSale({ stock, limitPerShopper: 3, maxPerOrder: 3 }),
            aSale({ stock: -1, limitPerShopper: 2 }),
            aSale({ stock: 2 * stock, limitPerShopper: 3, maxPerOrder: 3, variants }),
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
              const one: Asked = {
                ...{ sale, shopper, order, quantity: 1 + order },
                ...(index === 2 && { variant: order % 2 === 0 ? 's' : 'm' }),
              }
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
            const units = (orders: typeof kept) => orders.reduce((sum, order) => sum + (order?.quantity ?? 0), 0)
            const totals = await saleTotals(book.table, sale.saleId)
            expect(totals?.sold).toBe(units(kept))
            if (sale.stock !== -1) expect(units(kept)).toBeLessThanOrEqual(sale.stock)
            const counts = Object.values(totals?.variants ?? {})
            for (const { left, sold } of counts) expect([left >= 0, left + sold]).toEqual([true, stock])
            for (const shopper of range(12)) {
              const own = kept.filter((order) => order?.shopperId === `shopper-${shopper}`)
              expect(units(own)).toBeLessThanOrEqual(sale.limitPerShopper)
            }
            // Units are never returned here, so what was too little then is too little now.
            for (const order of written) {
              const { reason, shopperId, quantity = 0, variant } = order ?? {}
              const own = kept.filter((other) => other?.shopperId === shopperId)
              if (reason === 'over-limit') expect(units(own) + quantity).toBeGreaterThan(sale.limitPerShopper)
              if (reason !== 'over-cap') continue
              const { remaining = 0, variants: of } = totals ?? {}
              const wanted = of === undefined ? [[remaining, quantity]] : [[of[variant ?? '']?.left ?? 0, quantity]]
              expect(wanted.some(([left = 0, count = 0]) => left < count)).toBe(true)
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
