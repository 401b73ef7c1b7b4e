/**
 * Coupons through the whole system: every successful request brings a code of its own, and answers
 * never promise more than the stock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import type { OrderView } from '../../core/api/shop.ts'
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import { type CouponCode, formatCoupon } from '../../core/orders/coupon.ts'
import { connectRedis } from '../../redis/client.ts'
import type { Commander } from '../../redis/command.ts'
import { readStock, type StockFacts } from '../../redis/stock/stock.ts'
import {
  buyWhenAdmitted,
  buyWithRetries,
  call,
  eventually,
  healthOf,
  openSale,
  shopAt,
  writtenOrder,
} from './support.ts'

const stack = shopAt(inject('shopUrl'))
/** The counter itself, read directly. */
let redis: Commander
beforeAll(async () => {
  const { restUrl: url, restToken: token } = (await healthOf(stack)).parts.redis
  redis = connectRedis({ url, token, timeoutMs: 10_000 })
})

/** All requests come from one machine. */
const throttle = { perShopper: { limit: 1000, windowSeconds: 60 }, perIp: { limit: 1_000_000, windowSeconds: 60 } }

async function openCoupons(change: Record<string, unknown>): Promise<{ saleId: SaleId; startToken: string }> {
  const open = await openSale(stack, { kind: 'coupon', price: 0, throttle, ...change })
  const saleId = parseSaleId(open.saleId)
  if (saleId === undefined) throw new Error(`${open.saleId} is no sale id`)
  return { ...open, saleId }
}

async function stockOf(saleId: SaleId): Promise<StockFacts> {
  const facts = await readStock(redis, saleId)
  if (facts === undefined) throw new Error(`${saleId} has no stock in Redis`)
  return facts
}

/** The marketer's table as rows of cells, without its headings. */
async function couponsIn(saleId: SaleId, after = ''): Promise<string[][]> {
  const token = await stack.token('marketer', { roles: ['marketer'] })
  const path = `/api/control/sales/${saleId}/coupons.csv?after=${after}`
  const { status, body } = await call<{ text: string }>(stack, path, { token })
  expect(status).toBe(200)
  const lines = body.text.trimEnd().split('\r\n')
  const headings = after === '' ? lines.shift() : undefined
  if (after === '')
    expect(headings).toBe(
      'code,orderId,shopperId,status,issuedAt,validFrom,validUntil,redeemedAt,redeemedBy,reference,orderNumber',
    )
  return lines.map((line) => line.split(','))
}

const codesOf = ({ coupons }: OrderView): readonly CouponCode[] => coupons ?? []

describe('240 requests at once for 120 coupons', () => {
  it('give 120 orders with 120 codes, and the counter never falls below 0 (S7, I1, I2)', async () => {
    const stock = 120
    const { saleId, startToken } = await openCoupons({ stock })
    const shoppers = await Promise.all(
      Array.from({ length: 2 * stock }, async (_, i) => ({
        id: `crowd-${i}`,
        token: await stack.token(`crowd-${i}`),
      })),
    )

    let isOver = false
    const seen: StockFacts[] = []
    const watching = (async () => {
      while (!isOver) {
        seen.push(await stockOf(saleId))
        await sleep(5)
      }
    })()
    const answers = await Promise.all(
      shoppers.map(async ({ id, token }) => {
        const answer = await buyWithRetries(stack, saleId, { token, startToken })
        return { id, token, answer }
      }),
    )
    isOver = true
    await watching

    const won = answers.filter(({ answer }) => answer.status < 300)
    const lost = answers.filter(({ answer }) => answer.status >= 300)
    expect(won).toHaveLength(stock)
    expect(lost).toHaveLength(stock)
    for (const { answer } of lost) {
      expect(answer).toMatchObject({ status: 410, body: { code: 'sold-out', remaining: 0 } })
    }
    expect(
      seen.some(({ booked }) => booked > 0 && booked < stock),
      'watched while they came',
    ).toBe(true)
    expect(Math.max(...seen.map(({ booked }) => booked))).toBeLessThanOrEqual(stock)
    expect(Math.min(...seen.map(({ total, booked }) => total - booked))).toBeGreaterThanOrEqual(0)
    expect(Math.min(...seen.map(({ available }) => available))).toBeGreaterThanOrEqual(0)
    expect(await stockOf(saleId)).toMatchObject({ total: stock, booked: stock, available: 0 })

    const rows = await eventually(async () => {
      const written = await couponsIn(saleId)
      return written.length >= stock ? written : undefined
    })
    const named = rows.map(([, orderId, shopperId, status]) => [orderId, shopperId, status])
    const expected = won.map(({ id, answer }) => [answer.body.orderId, id, 'valid'])
    expect(named.toSorted()).toEqual(expected.toSorted())
    const codeOf = new Map(rows.map(([code, orderId]) => [orderId, code]))
    expect(new Set(codeOf.values()).size).toBe(stock)
    for (const { token, answer } of won.filter((_, at) => at % 15 === 0)) {
      const order = await writtenOrder(stack, answer.body.orderId, token)
      expect(order).toMatchObject({ status: 'fulfilled', quantity: 1, amount: 0 })
      expect(codesOf(order).map(formatCoupon)).toEqual([codeOf.get(order.orderId)])
    }
    // A part may begin behind any order.
    for (const at of [0, 59, 118]) expect(await couponsIn(saleId, rows[at]?.[1])).toEqual(rows.slice(at + 1))
  })
})

it('unlimited coupons are given to every shopper within the limit, and shown to their owner only (S4, S5, S6, I3)', async () => {
  const [validFrom, validUntil] = [Date.now(), Date.now() + 30 * 86_400_000]
  const coupons = { validFrom, validUntil }
  const { saleId, startToken } = await openCoupons({ stock: -1, limitPerShopper: 2, maxPerOrder: 2, coupons })
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
