import { describe, expect, it } from 'vitest'
import { paceOf } from '../../../core/report/pace.ts'
import { aSale } from '../../redis/support.ts'

const opens = Date.UTC(2026, 10, 20, 11)
const at = (seconds: number) => opens + seconds * 1000
const sale = aSale({ startsAt: opens, endsAt: at(3600), stock: 12 })

describe('the pace of a round', () => {
  it('takes units for left again once they came back, in any order', () => {
    const takes = [
      { at: at(1), units: 5, returnedAt: at(900), isKept: false },
      { at: at(2), units: 5, returnedAt: at(800), isKept: false },
      { at: at(850), units: 5, isKept: true },
    ]
    const [round] = paceOf(sale, takes, at(3600)).windows
    expect(round).toMatchObject({ available: 12, taken: 15, sold: 5, halfMs: 2000, soldOutMs: null })
    const [again] = paceOf(sale, [...takes, { at: at(880), units: 2, isKept: true }], at(3600)).windows
    expect(again).toMatchObject({ taken: 17, sold: 7, soldOutMs: 880_000 })
  })

  it('ends when the sale was ended by hand, beside the planned end, and no later round begins', () => {
    expect(paceOf(sale, [], at(9000)).windows).toMatchObject([{ endsAt: at(3600), plannedEnd: undefined }])
    const windows = [0, 5000].map((after) => ({ startsAt: at(after), endsAt: at(after + 3600), stock: 12 }))
    const ended = { ...sale, windows, endedAt: at(120) }
    expect(paceOf(ended, [], at(9000)).windows).toMatchObject([{ endsAt: at(120), plannedEnd: at(3600) }])
    const after = { ...sale, endedAt: at(4000) }
    expect(paceOf(after, [], at(9000)).windows).toMatchObject([{ endsAt: at(3600), plannedEnd: undefined }])
  })
})
