import { afterEach, describe, expect, it, vi } from 'vitest'
import { heldWait } from '../../../client/held-wait.ts'
import { nextOrderPollMs, orderRetryMs } from '../../../core/orders/order-poll.ts'
import { type OrderStage, stageOf } from '../../../core/orders/order-stage.ts'
import { nextWalletPollMs } from '../../../core/packets/wallet-poll.ts'
import { holdMs } from '../../../functions/packets/held-reads.ts'
import { runSeconds } from '../../../infra/settings/arithmetic.ts'
import { seededRandom } from '../../../proof/bench/statistics.ts'
import { orderWith } from '../../static/orders/order.ts'

/** In the middle of the spread. */
const middle = 0.5
const waits = (stage: OrderStage, looks: number) =>
  Array.from({ length: looks }, (_, look) => nextOrderPollMs([stage], look, middle))

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
      expect(nextOrderPollMs([stageOf(cancelled, 9e12)], looks, middle)).toBeGreaterThan(0)
    }
    expect(nextOrderPollMs([stageOf(orderWith({ status: 'cancelled' }), 9e12)], 0, middle)).toBeUndefined()
  })

  it('never comes by itself once everything is final', () => {
    const final = ['paid', 'fulfilled', 'shipped', 'delivered', 'cancelled', 'rejected', 'refunded'] as const
    expect(nextOrderPollMs(final, 0, middle)).toBeUndefined()
    expect(nextOrderPollMs([], 0, middle)).toBeUndefined()
  })

  it('follows the order of a list that may change first', () => {
    expect(nextOrderPollMs(['paid', 'to-pay', 'reserved'], 0, middle)).toBe(2500)
  })

  it('is spread, because the winners of a sale open their pages in the same second (L1)', () => {
    expect([0, 0.999_999].map((random) => nextOrderPollMs(['to-pay'], 0, random))).toEqual([16_000, 24_000])
  })
})

it('the next try after an answer without an order backs off, and waits at least as long as the shop asks (R2)', () => {
  expect(orderRetryMs(0, undefined, middle)).toBe(2500)
  expect(orderRetryMs(0, 7, middle)).toBe(7000)
  expect(orderRetryMs(50, 7, middle)).toBe(10_000)
})

describe('a result that a page waits for', () => {
  const plays = 2000
  afterEach(() => void vi.useRealTimers())

  type Play = { seenAt: number; asked: number[]; heldMs: number }

  /** A page that waits from 0 on for a result at `resultAt`, in a shop that holds requests while `isFree`. */
  async function play(next: (looks: number) => number, resultAt: number, isFree: boolean, random: () => number) {
    const wait = heldWait()
    const page: Play = { seenAt: 0, asked: [], heldMs: 0 }
    let at = 0
    for (let isNew = true; ; isNew = false) {
      const heldMs = wait.nextMs(isNew, random())
      at += heldMs ?? next(page.asked.length)
      page.asked.push(at)
      if (heldMs !== undefined) {
        vi.setSystemTime(at)
        const reply = await wait.ask(async () => {
          if (!isFree) return { kind: 'lost' }
          const until = Math.min(at + holdMs, resultAt <= at ? at : at + 500 * Math.ceil((resultAt - at) / 500))
          page.heldMs += until - at
          at = until
          vi.setSystemTime(at)
          return { kind: 'ok', status: 200, body: undefined, headers: new Headers() }
        })
        if (reply === undefined) page.asked.push(at)
      }
      if (at >= resultAt) return { ...page, seenAt: at }
    }
  }

  /** Results at random within `withinMs`: how late they are seen, and how often pages ask. */
  async function played(stage: OrderStage | 'credit', withinMs: number, isFree: boolean) {
    vi.useFakeTimers({ toFake: ['Date'] })
    const random = seededRandom(36)
    const next = (looks: number) =>
      (stage === 'credit' ? nextWalletPollMs(looks, random()) : nextOrderPollMs([stage], looks, random())) ??
      Number.POSITIVE_INFINITY
    const late: number[] = []
    let [maxPolls, maxInFive, heldMs] = [0, 0, 0]
    for (let n = 0; n < plays; n += 1) {
      const resultAt = random() * withinMs
      const page = await play(next, resultAt, isFree, random)
      late.push(page.seenAt - resultAt)
      heldMs += page.heldMs / plays
      maxPolls = Math.max(maxPolls, page.asked.length)
      for (const from of page.asked) {
        const inFive = page.asked.filter((at) => at >= from && at < from + 5000).length
        maxInFive = Math.max(maxInFive, inFive)
      }
    }
    late.sort((a, b) => a - b)
    return {
      share: late.filter((ms) => ms <= 2000).length / plays,
      most: late.at(-1) ?? 0,
      usual: late[0.99 * plays] ?? 0,
      ...{ maxPolls, maxInFive, heldMs },
    }
  }

  const rows = [
    ['reserved', 2500, { asked: 1, heldMs: 230 }, { share: 0.81, usual: 2800, asked: 3, inFive: 3 }],
    ['paying', 6000, { asked: 2, heldMs: 1640 }, { share: 0.92, usual: 2900, asked: 5, inFive: 4 }],
    ['refund-due', 10_000, { asked: 2, heldMs: 2880 }, { share: 0.59, usual: 4400, asked: 5, inFive: 4 }],
    ['credit', 3000, { asked: 1, heldMs: 410 }, { share: 0.99, usual: 1800, asked: 4, inFive: 4 }],
  ] as const

  it.each(rows)(
    'is seen within two seconds by one request in five, where the shop holds it: %s (N9)',
    async (stage, withinMs, should) => {
      const found = await played(stage, withinMs, true)
      expect(found.share).toBe(1)
      expect(found.most).toBeLessThanOrEqual(2000)
      expect(found.maxInFive).toBe(1)
      expect(found.maxPolls).toBe(should.asked)
      expect(Math.abs(found.heldMs - should.heldMs)).toBeLessThan(100)
    },
  )

  it.each(rows)(
    'is seen by polling, as soon as the architecture says, while nothing more can be held: %s',
    async (stage, withinMs, _, should) => {
      const found = await played(stage, withinMs, false)
      expect(Math.abs(found.share - should.share)).toBeLessThan(0.02)
      expect(Math.abs(found.usual - should.usual)).toBeLessThan(100)
      expect([found.maxPolls, found.maxInFive]).toEqual([should.asked, should.inFive])
    },
  )

  it('is never held for a page in the background', () => {
    const document = { hidden: true }
    vi.stubGlobal('document', document)
    const wait = heldWait()
    expect(wait.nextMs(true, 0)).toBeUndefined()
    document.hidden = false
    expect(wait.nextMs(false, 0)).toBe(1500)
    vi.unstubAllGlobals()
  })

  it('keeps as many environments as the settings of prod assume', async () => {
    const held = [await played('reserved', 2500, true), await played('paying', 6000, true)]
    const mean = held.reduce((sum, { heldMs }) => sum + heldMs / held.length, 0)
    expect(mean / 1000).toBeCloseTo(runSeconds.held, 1)
  })
})
