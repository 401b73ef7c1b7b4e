import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomWords, spreadOf } from '../../../console/form/split-preview.tsx'
import { randomIntegerFrom } from '../../../core/lib/random-integers.ts'
import { splitPackets } from '../../../core/packets/packets.ts'

const of = (...amounts: number[]) => spreadOf(Float64Array.from(amounts))

describe('the spread of amounts', () => {
  it('is that of the sorted amounts of any size', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 300 }), (amounts) => {
        const sorted = [...amounts].sort((a, b) => a - b)
        expect(of(...amounts).spread).toMatchObject({
          count: amounts.length,
          mean: sorted.reduce((sum, amount) => sum + amount, 0) / amounts.length,
          min: sorted[0],
          median: sorted[Math.floor((sorted.length - 1) / 2)],
          max: sorted.at(-1),
        })
      }),
    )
  })
})

describe('the bars of a histogram', () => {
  it('count every amount once, each within its bar', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 300 }), (amounts) => {
        const { start, width, counts } = of(...amounts).histogram
        const expected = counts.map(
          (_, i) => amounts.filter((a) => a >= start + i * width && a < start + (i + 1) * width).length,
        )
        expect(counts).toEqual(expected)
        expect(counts.reduce((sum, n) => sum + n, 0)).toBe(amounts.length)
        expect(counts.length).toBeLessThanOrEqual(28)
      }),
    )
  })

  it('are one for each amount where those are few, and one alone where all are the same', () => {
    expect(of(1, 2, 3, 3).histogram).toEqual({ start: 1, width: 1, counts: [1, 1, 2] })
    expect(of(5, 5, 5).histogram).toEqual({ start: 5, width: 1, counts: [3] })
  })

  it('are between 20 and 28 for a split of thousands', () => {
    const amounts = splitPackets({ count: 5000, totalAmount: 2_500_000 }, randomIntegerFrom(randomWords()))
    const { spread, histogram } = spreadOf(amounts)
    expect(spread.mean).toBe(500)
    expect(histogram.counts.length).toBeGreaterThanOrEqual(20)
    expect(histogram.counts.length).toBeLessThanOrEqual(28)
  })
})

it('random words are whole numbers of 32 bits, and go on when one fetch is used up', () => {
  const next = randomWords()
  const words = Array.from({ length: 20_000 }, next)
  expect(words.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32)).toBe(true)
  expect(new Set(words).size).toBeGreaterThan(19_900)
})
