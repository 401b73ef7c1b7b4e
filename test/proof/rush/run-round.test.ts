import { describe, expect, it } from 'vitest'
import type { Live } from '../../../core/api/control-answers.ts'
import { compareDemand } from '../../../proof/rush/run-round.ts'

const tries = (code: string, count: number, isCounted = true) =>
  Array.from({ length: count }, () => ({ code, ms: 1, at: 1, isCounted }))

const seen = [...tries('reserved', 3), ...tries('sold-out', 5), ...tries('sold-out', 90, false)]
const shown: Live['demand'] = { asked: 8, decided: 4, won: 3, refused: [{ reason: 'sold-out', count: 5 }] }

describe('the demand in the console, compared with the shoppers of a rush', () => {
  it('equals theirs without the requests that never reached the gate', () => {
    expect(compareDemand(shown, seen)).toEqual([])
  })

  it('is reported number by number where it differs', () => {
    const less = { ...shown, asked: 7, refused: [{ reason: 'at-capacity', count: 1 }] }
    expect(compareDemand(less, seen)).toEqual([
      'the console counts 7 requests, the shoppers 8',
      'the console counts 1 at-capacity, the shoppers 0',
      'the console counts 0 sold-out, the shoppers 5',
    ])
    expect(compareDemand(null, tries('sold-out', 1))).toHaveLength(2)
  })

  it('may be less, and not more, after a failure of the gate’s store', () => {
    const disturbed = [...seen, ...tries('unavailable', 4)]
    expect(compareDemand(shown, disturbed)).toEqual([])
    expect(compareDemand({ ...shown, won: 4 }, disturbed)).toEqual(['the console counts 4 wins, the shoppers 3'])
  })
})
