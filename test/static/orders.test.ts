import { describe, expect, it } from 'vitest'
import { nextOrderPollMs, stepsOf } from '../../static/client/orders/steps.ts'

describe('the steps of an order', () => {
  it('show where it stands for every status (O1, O8)', () => {
    const now = (status: 'reserved' | 'awaiting-payment') =>
      stepsOf(status).find(({ state }) => state === 'now')?.key
    expect(now('reserved')).toBe('order.step.written')
    expect(now('awaiting-payment')).toBe('order.step.payment')
    expect(stepsOf('rejected').at(-1)).toEqual({ key: 'order.step.refused', state: 'failed' })
  })
})

describe('the look at an order that is being written', () => {
  it('comes every second at first and backs off to ten (L1)', () => {
    const waits = Array.from({ length: 14 }, (_, attempt) => nextOrderPollMs(attempt))
    expect(waits.slice(0, 4)).toEqual([1000, 1000, 1000, 1000])
    expect(waits.every((wait, i) => i === 0 || wait >= (waits[i - 1] ?? 0))).toBe(true)
    expect(waits.at(-1)).toBe(10_000)
  })
})
