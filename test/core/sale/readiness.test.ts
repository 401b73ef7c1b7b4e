import { describe, expect, it } from 'vitest'
import { type ReadinessFacts, readiness, startSoonMs } from '../../../core/sale/readiness.ts'

const hour = 3_600_000
const startsAt = 10 * hour
const endsAt = 11 * hour

const warmed: ReadinessFacts = { warmed: true, flag: 'off', epoch: 0, startsAt, endsAt, windows: [], windowIndex: 0 }
const started: ReadinessFacts = { ...warmed, flag: 'on', epoch: 1 }
const windows = [
  { startsAt, endsAt, stock: 1 },
  { startsAt: 20 * hour, endsAt: 21 * hour, stock: 1 },
]

describe('readiness', () => {
  it.each([
    ['a draft', { ...warmed, warmed: false }],
    ['a warmed sale', warmed],
  ])(
    'says of %s that it needs a start, more urgently as the start comes near, and most once it has passed',
    (_, sale) => {
      expect(readiness(sale, startsAt - startSoonMs)).toEqual({ state: 'needs-start', startsAt })
      expect(readiness(sale, startsAt - startSoonMs + 1)).toEqual({ state: 'needs-start-soon', startsAt })
      expect(readiness(sale, startsAt - 1)).toEqual({ state: 'needs-start-soon', startsAt })
      expect(readiness(sale, startsAt)).toEqual({ state: 'overdue', startsAt })
      expect(readiness(sale, endsAt - 1)).toEqual({ state: 'overdue', startsAt })
      expect(readiness(sale, endsAt)).toEqual({ state: 'ended', startsAt })
    },
  )

  it('says of a started sale when it opens by itself, and that it is open from then on', () => {
    expect(readiness(started, startsAt - 1)).toEqual({ state: 'scheduled', startsAt })
    expect(readiness(started, startsAt)).toEqual({ state: 'open', startsAt })
    expect(readiness(started, endsAt)).toEqual({ state: 'ended', startsAt })
  })

  it('says after a window that the next one opens by itself, before and after the sale has turned to it (R7)', () => {
    const before = { ...started, windows: windows }
    const after = { ...before, flag: 'off' as const, windowIndex: 1, startsAt: 20 * hour, endsAt: 21 * hour }
    const expected = { state: 'scheduled', startsAt: 20 * hour }
    expect(readiness(before, endsAt)).toEqual(expected)
    expect(readiness(after, endsAt)).toEqual(expected)
    expect(readiness({ ...after, flag: 'on' }, 19 * hour)).toEqual(expected)
  })

  it('says of a sale whose first window passed without a start that it is overdue (R7)', () => {
    expect(readiness({ ...warmed, windows: windows }, endsAt)).toEqual({ state: 'overdue', startsAt })
  })

  it.each([['paused'], ['closed']] as const)('says of a sale that is %s nothing about its start', (flag) => {
    const state = flag === 'closed' ? 'ended' : 'paused'
    for (const now of [0, startsAt, endsAt - 1]) {
      expect(readiness({ ...started, flag }, now).state).toBe(state)
    }
  })
})
