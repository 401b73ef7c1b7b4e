/** Coupons through the whole system: every successful request brings codes of its own. */
import { expect, inject, it } from 'vitest'
import type { OrderView } from '../../core/api/shop.ts'
import { type CouponCode, formatCoupon } from '../../core/orders/coupon.ts'
import { buyWhenAdmitted, call, control, openSale, shopAt, writtenOrder } from './support.ts'

const stack = shopAt(inject('shopUrl'))

/** The marketer's table as rows of cells, without its headings. */
async function couponsIn(saleId: string): Promise<string[][]> {
  const { text } = await control<{ text: string }>(stack, `/sales/${saleId}/coupons.csv`)
  const [headings, ...lines] = text.trimEnd().split('\r\n')
  expect(headings).toBe(
    'code,orderId,shopperId,status,issuedAt,validFrom,validUntil,redeemedAt,redeemedBy,reference,orderNumber',
  )
  return lines.map((line) => line.split(','))
}

const codesOf = ({ coupons }: OrderView): readonly CouponCode[] => coupons ?? []

it('unlimited coupons are given to every shopper within the limit, and shown to their owner only (S4, S5, S6, I3)', async () => {
  const [validFrom, validUntil] = [Date.now(), Date.now() + 30 * 86_400_000]
  const sale = { kind: 'coupon', price: 0, stock: -1, limitPerShopper: 2, maxPerOrder: 2 }
  const { saleId, startToken } = await openSale(stack, { ...sale, coupons: { validFrom, validUntil } })
  const tokens = await Promise.all(Array.from({ length: 12 }, (_, i) => stack.token(`endless-${i}`)))
  const orders = await Promise.all(
    tokens.map(async (token) => {
      const won = await buyWhenAdmitted(stack, saleId, { token, startToken, quantity: 2 })
      expect(won).toMatchObject({ status: 202, body: { remaining: -1 } })
      const order = await writtenOrder(stack, won.body.orderId, token)
      expect(order).toMatchObject({ status: 'fulfilled', validFrom, validUntil })
      return order
    }),
  )
  expect(new Set(orders.flatMap(codesOf)).size).toBe(24)
  const [first, second] = tokens
  const more = await buyWhenAdmitted(stack, saleId, { token: first ?? '', startToken, key: 'more' })
  expect(more).toMatchObject({ status: 409, body: { code: 'limit-reached' } })
  const foreign = { token: second ?? '' }
  expect(await call(stack, `/api/orders/${orders[0]?.orderId}`, foreign)).toMatchObject({ status: 404 })

  const rows = await couponsIn(saleId)
  const times = [validFrom, validUntil].map((ms) => new Date(ms).toISOString())
  expect(rows.map(([code]) => code).toSorted()).toEqual(orders.flatMap(codesOf).map(formatCoupon).toSorted())
  // None of them is redeemed.
  for (const row of rows) {
    const { orderNumber } = orders.find(({ orderId }) => orderId === row[1]) ?? {}
    expect(row.slice(5)).toEqual([...times, '', '', '', orderNumber])
  }
})
