import { describe, expect, it } from 'vitest'
import { hasEnded } from '../../../core/sale/sale.ts'
import { nextWindow } from '../../../core/sale/windows.ts'
import { aSale } from '../../redis/support.ts'

const windows = [
  { startsAt: 1000, endsAt: 2000, stock: 5 },
  { startsAt: 3000, endsAt: 4000, stock: 5 },
]

describe('the next window of a sale (R7)', () => {
  it('is the one after the current one, and none after the last', () => {
    expect(nextWindow({ windows, windowIndex: 0 })).toEqual(windows[1])
    expect(nextWindow({ windows, windowIndex: 1 })).toBeUndefined()
    expect(nextWindow({ windows: [], windowIndex: 0 })).toBeUndefined()
  })
})

describe('a sale', () => {
  const sale = aSale({ ...windows[0], windows })
  const last = { ...sale, ...windows[1], windowIndex: 1 }

  it('has ended after its last window or when it is closed, with any stock and even as a draft', () => {
    expect([1500, 2000].map((now) => hasEnded(sale, now))).toEqual([false, false])
    expect([3999, 4000].map((now) => hasEnded(last, now))).toEqual([false, true])
    expect(hasEnded({ ...sale, flag: 'closed' }, 1500)).toBe(true)
    expect(hasEnded({ ...last, warmed: false }, 4000)).toBe(true)
  })
})
