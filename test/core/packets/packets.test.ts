import { describe, expect, it } from 'vitest'
import { randomIntegerFrom } from '../../../core/lib/random-integers.ts'
import { allPackets, packetBatches, splitPackets } from '../../../core/packets/packets.ts'
import { seededWords } from '../words.ts'

const seed = 20_301
const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, amount) => total + amount, 0)

/** The amounts in the order in which they were drawn: with the last two draws of the shuffle removed, nothing moves. */
function drawnInOrder(count: number, totalAmount: number, words: () => number): Float64Array {
  const draw = randomIntegerFrom(words)
  let drawn = 0
  return splitPackets({ count, totalAmount }, (below) => {
    drawn += 1
    // The shuffle exchanges a packet with one up to itself; with itself, all stay in place.
    return drawn < count ? draw(below) : below - 1
  })
}

describe('the split of red packets (P1)', () => {
  it('keeps the sum and the bounds for 10,000 random totals and counts', () => {
    const words = seededWords(seed)
    const draw = randomIntegerFrom(words)
    for (let turn = 0; turn < 10_000; turn += 1) {
      const count = 1 + draw(turn % 100 === 0 ? 5000 : 60)
      const totalAmount = count + draw([1, 10, 1000, 1_000_000, 1_000_000_000][turn % 5] ?? 1)
      const amounts = drawnInOrder(count, totalAmount, words)
      expect(sum(amounts), `${totalAmount} in ${count}`).toBe(totalAmount)
      let left = totalAmount
      for (const [at, amount] of amounts.entries()) {
        const mean = left / (count - at)
        if (!(Number.isInteger(amount) && amount >= 1 && amount <= 2 * mean)) {
          throw new Error(`packet ${at} of ${count} has ${amount}, twice the mean of what is left is ${2 * mean}`)
        }
        left -= amount
      }
    }
  })

  it('gives the same packets for the same seed, and others for another', () => {
    const split = (word: number) => [
      ...splitPackets({ count: 50, totalAmount: 5000 }, randomIntegerFrom(seededWords(word))),
    ]
    expect(split(7)).toEqual(split(7))
    expect(split(7)).not.toEqual(split(8))
  })

  it('refuses more packets than there are units of money', () => {
    expect(() => splitPackets({ count: 11, totalAmount: 10 }, () => 0)).toThrow(RangeError)
  })

  it('is exact for the largest possible split', () => {
    const amounts = splitPackets(
      { count: 1_000_000, totalAmount: 1_000_000_000_000 },
      randomIntegerFrom(seededWords(3)),
    )
    expect(amounts.reduce((total, amount) => total + amount, 0)).toBe(1_000_000_000_000)
  })
})

describe('the order of the packets (P1)', () => {
  const positions = 20
  const splits = 4000
  const totalAmount = 2000

  /** How often an amount of each fifth of all amounts came at each position. */
  function counts(isShuffled: boolean): number[][] {
    const words = seededWords(seed)
    const draw = randomIntegerFrom(words)
    const amounts = Array.from({ length: splits }, () =>
      isShuffled ? splitPackets({ count: positions, totalAmount }, draw) : drawnInOrder(positions, totalAmount, words),
    )
    const all = amounts.flatMap((split) => [...split]).sort((a, b) => a - b)
    const edges = [0.2, 0.4, 0.6, 0.8].map((share) => all[Math.floor(all.length * share)] ?? 0)
    const table = Array.from({ length: positions }, () => [0, 0, 0, 0, 0])
    for (const split of amounts) {
      for (const [position, amount] of split.entries()) {
        const row = table[position] ?? []
        const fifth = edges.filter((edge) => amount >= edge).length
        row[fifth] = (row[fifth] ?? 0) + 1
      }
    }
    return table
  }

  /** Chi-square of independence of rows and columns. */
  function chiSquare(table: number[][]): number {
    const all = sum(table.flat())
    const columns = [0, 1, 2, 3, 4].map((column) => sum(table.map((row) => row[column] ?? 0)))
    return sum(
      table.flatMap((row) => {
        const inRow = sum(row)
        return row.map((observed, column) => {
          const expected = (inRow * (columns[column] ?? 0)) / all
          return (observed - expected) ** 2 / expected
        })
      }),
    )
  }

  const [shuffled, inOrder] = [counts(true), counts(false)]

  // 76 degrees of freedom: a fair shuffle exceeds 118.6 once in a thousand runs.
  const critical = 118.6

  it('is independent of the amount: chi-square over 20 positions and 4,000 splits', () => {
    expect(chiSquare(shuffled)).toBeLessThan(critical)
  })

  it('would depend on it without the shuffle, which the same test detects', () => {
    expect(chiSquare(inOrder)).toBeGreaterThan(3 * critical)
  })
})

describe('the packets of a sale by window (P1, R7)', () => {
  it('are its packets, or those of its windows', () => {
    const packets = { count: 3, totalAmount: 30 }
    expect(packetBatches({ packets, windows: [] })).toEqual([packets])
    const windows = [
      { stock: 3, totalAmount: 30 },
      { stock: 2, totalAmount: 50 },
    ]
    expect(packetBatches({ packets, windows })).toEqual([packets, { count: 2, totalAmount: 50 }])
    expect(allPackets({ packets, windows })).toEqual({ count: 5, totalAmount: 80 })
  })

  it('are empty where nothing is split', () => {
    expect(packetBatches({ windows: [{ stock: 3 }] })).toEqual([])
    expect(allPackets({ windows: [] })).toEqual({ count: 0, totalAmount: 0 })
  })
})
