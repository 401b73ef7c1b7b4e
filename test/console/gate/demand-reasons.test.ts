import { describe, expect, it } from 'vitest'
import { topAndOthers } from '../../../console/gate/demand-panel.tsx'

const counted = (...counts: number[]) => counts.map((count, i) => ({ reason: `reason-${i}`, count }))
const countsOf = (rows: readonly { count: number }[]) => rows.map(({ count }) => count)

describe('the refusals of the first screen', () => {
  it('are the three most frequent ones, and all others unfold', () => {
    const { top, others } = topAndOthers(counted(5, 80, 2, 30, 9))
    expect(countsOf(top)).toEqual([80, 30, 9])
    expect(countsOf(others)).toEqual([5, 2])
  })

  it('are all of them where only one would unfold', () => {
    expect(topAndOthers(counted(1, 2, 3, 4))).toMatchObject({ top: { length: 4 }, others: [] })
    expect(topAndOthers(counted(7))).toMatchObject({ top: { length: 1 }, others: [] })
  })

  it('sum up to all refusals', () => {
    for (let n = 0; n < 12; n += 1) {
      const all = counted(...Array.from({ length: n }, (_, i) => (i * 7) % 5))
      const { top, others } = topAndOthers(all)
      const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
      expect(sum(countsOf([...top, ...others]))).toBe(sum(countsOf(all)))
      expect(top.length + others.length).toBe(n)
    }
  })
})
