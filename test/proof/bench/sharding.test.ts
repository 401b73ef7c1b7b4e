import { describe, expect, it } from 'vitest'
import { mostGrants } from '../../../proof/bench/sharding/bounds.ts'
import { chanceOfFalseEnd, leftAtFirstEnd } from '../../../proof/bench/sharding/naive.ts'
import { sellSplit } from '../../../proof/bench/sharding/split-sale.ts'
import { shardingLine } from '../../../proof/bench/sharding.ts'
import { seededRandom } from '../../../proof/bench/statistics.ts'

const quarters = [0.25, 0.25, 0.25, 0.25]

describe('800 units over 4 instances, 200 each (S15)', () => {
  it('almost always says "sold out" while units are left', () => {
    // Of the 16 ways that four requests fall on two shards, six fill both.
    expect(chanceOfFalseEnd(4, [0.5, 0.5])).toBeCloseTo(10 / 16)
    expect(chanceOfFalseEnd(4, [1, 0])).toBe(1)
    expect(chanceOfFalseEnd(800, quarters)).toBeCloseTo(0.999955, 6)
  })

  it('says so as often as a simulation does', () => {
    const random = seededRandom(15)
    const sales = Array.from({ length: 2000 }, () => leftAtFirstEnd(4, [0.5, 0.5], random))
    const early = sales.filter((left) => left > 0).length / sales.length
    expect(Math.abs(early - chanceOfFalseEnd(4, [0.5, 0.5]))).toBeLessThan(0.05)
    expect(leftAtFirstEnd(800, [1, 0, 0, 0], random)).toBe(600)
  })

  it('ends at 0 when the shards lend to each other, also with all shoppers at one', () => {
    for (const homes of [quarters, [1, 0, 0, 0]]) {
      for (const maxPerOrder of [1, 5]) {
        const sale = { stock: 800, homes, maxPerOrder, random: seededRandom(4) }
        expect(sellSplit(sale)).toMatchObject({ sold: 800, falseEnds: 0 })
      }
    }
  })

  it('is judged in one line', () => {
    const line = shardingLine({ stock: 80, shardCount: 4, maxPerOrder: 5 }, 5)
    expect(line).toMatchObject({ what: '80 over 4, at random, 1 to 5 units', met: true })
    expect(String(line.value)).not.toMatch(/NaN|Infinity|undefined/)
  })
})

describe('the bound of the grants', () => {
  it('is 2N·ln(S/2N) + 2N, and one unit each for the last 2N units', () => {
    expect(mostGrants(800, 4)).toBeCloseTo(8 * Math.log(100) + 8)
    expect(mostGrants(5, 4)).toBe(5)
    expect(mostGrants(0, 4)).toBe(0)
  })
})
