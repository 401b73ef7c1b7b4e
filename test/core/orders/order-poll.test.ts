import { describe, expect, it } from 'vitest'
import { nextLookMs, nextTryMs } from '../../../core/orders/order-poll.ts'
import { type OrderStage, stageOf } from '../../../core/orders/order-stage.ts'
import { followMs } from '../../../core/packets/wallet-poll.ts'
import { seededRandom } from '../../../proof/bench/statistics.ts'
import { orderWith } from '../../static/orders/order.ts'

/** In the middle of the spread. */
const middle = 0.5
const waits = (stage: OrderStage, looks: number) =>
  Array.from({ length: looks }, (_, look) => nextLookMs([stage], look, middle))

describe('the next poll of an order', () => {
  it('comes every 2.5 s while it is being written, and backs off to ten (L1)', () => {
    expect(waits('reserved', 4)).toEqual([2500, 2500, 2500, 2500])
    expect(waits('reserved', 14).at(-1)).toBe(10_000)
  })

  it.each([
    ['to-pay', 20_000, 60_000],
    ['paying', 2000, 10_000],
    ['overtime', 2000, 10_000],
    ['late', 2000, 10_000],
    ['refund-due', 3000, 30_000],
    ['cancelled-paying', 5000, 60_000],
  ] as const)('comes after seconds and backs off while an order is %s', (stage, fromMs, toMs) => {
    const all = waits(stage, 30)
    expect(all[0]).toBe(fromMs)
    expect(all.at(-1)).toBe(toMs)
    expect(all.every((wait, i) => i === 0 || Number(wait) >= Number(all[i - 1]))).toBe(true)
  })

  it('continues for a cancelled order whose late payment and its refund may still arrive (O8)', () => {
    const cancelled = orderWith({ status: 'cancelled', reason: 'unpaid', payment: 'started' })
    for (const looks of [0, 20, 1000]) {
      expect(nextLookMs([stageOf(cancelled, 9e12)], looks, middle)).toBeGreaterThan(0)
    }
    expect(nextLookMs([stageOf(orderWith({ status: 'cancelled' }), 9e12)], 0, middle)).toBeUndefined()
  })

  it('never comes by itself once everything is final', () => {
    const final = ['paid', 'fulfilled', 'shipped', 'delivered', 'cancelled', 'rejected', 'refunded'] as const
    expect(nextLookMs(final, 0, middle)).toBeUndefined()
    expect(nextLookMs([], 0, middle)).toBeUndefined()
  })

  it('follows the order of a list that may change first', () => {
    expect(nextLookMs(['paid', 'to-pay', 'reserved'], 0, middle)).toBe(2500)
  })

  it('is spread, because the winners of a sale open their pages in the same second (L1)', () => {
    expect([0, 0.999_999].map((random) => nextLookMs(['to-pay'], 0, random))).toEqual([16_000, 24_000])
  })
})

describe('the next try after an answer without an order', () => {
  it('backs off, and waits at least as long as the shop asks (R2)', () => {
    expect(nextTryMs(0, undefined, middle)).toBe(2500)
    expect(nextTryMs(0, 7, middle)).toBe(7000)
    expect(nextTryMs(50, 7, middle)).toBe(10_000)
  })
})

/** The rows of “From the 202 to the result” in docs/guide/architecture.md. */
describe('a result that a page waits for', () => {
  const plays = 4000

  it.each([
    ['reserved', 2500, { share: 0.75, most: 2800, looks: 3 }],
    ['paying', 6000, { share: 0.94, most: 2200, looks: 5 }],
    ['refund-due', 10_000, { share: 0.63, most: 3400, looks: 5 }],
    ['credit', 3000, { share: 0.99, most: 1600, looks: 5 }],
  ] as const)('is seen as soon as the architecture says: %s', (stage, withinMs, should) => {
    const random = seededRandom(36)
    const next = (looks: number) =>
      stage === 'credit' ? followMs(looks, random()) : nextLookMs([stage], looks, random())
    const seen = Array.from({ length: plays }, () => {
      const result = random() * withinMs
      let [at, looks] = [0, 0]
      while (at < result) {
        at += next(looks) ?? Number.POSITIVE_INFINITY
        looks += 1
      }
      return { lateMs: at - result, looks: looks + 1 }
    })
    const late = seen.map(({ lateMs }) => lateMs).sort((a, b) => a - b)
    expect(late.filter((ms) => ms <= 2000).length / plays).toBeCloseTo(should.share, 1)
    expect(Math.abs((late[0.99 * plays] ?? 0) - should.most)).toBeLessThan(100)
    expect(Math.max(...seen.map(({ looks }) => looks))).toBe(should.looks)
  })
})
