import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import { buildSaleFilter, openSaleFilter, type SaleFilter } from '../../core/sale-filter.ts'

/** The names that marketers give: counted, dated, or all different. */
const nameOf: ((n: number) => string)[] = [
  (n) => `sale-${n}`,
  (n) => `${(n * 7919) % 999_983}-2027-phone`,
  (n) =>
    Math.imul(n + 1, 2_654_435_761)
      .toString(36)
      .replace('-', 'x')
      .padStart(3, 'a'),
]

const saleIds = (count: number, from = 0): SaleId[] =>
  Array.from({ length: count }, (_, at) => {
    const saleId = parseSaleId((nameOf[at % nameOf.length] ?? String)(from + at))
    if (saleId === undefined) throw new Error('a test made an id that is none')
    return saleId
  })

function opened(bytes: Uint8Array): SaleFilter {
  const filter = openSaleFilter(bytes)
  if (filter === undefined) throw new Error('that is no filter')
  return filter
}

describe('the filter of sale ids (B4)', () => {
  it('takes at most one in a thousand foreign ids for known, at 100,000 sales in 188 kB', () => {
    const ids = saleIds(100_000)
    const bytes = buildSaleFilter(ids)
    const filter = opened(bytes)
    expect(ids.filter((id) => !filter.mayHold(id))).toEqual([])
    const own = new Set<string>(ids)
    const foreign = saleIds(250_000, 100_000)
      .filter((id) => !own.has(id))
      .slice(0, 200_000)
    const rate = foreign.filter((id) => filter.mayHold(id)).length / foreign.length
    console.log(`${bytes.length} bytes, ${(rate * 100).toFixed(3)} % of ${foreign.length} foreign ids pass`)
    expect(foreign).toHaveLength(200_000)
    expect(bytes).toHaveLength(8 + (100_000 * 15) / 8)
    expect(rate).toBeLessThanOrEqual(0.001)
    expect(rate).toBeGreaterThan(0)
  })

  it.each([1, 10, 64, 100, 1000, 10_000])('keeps that rate with %i sales', (count) => {
    const filter = opened(buildSaleFilter(saleIds(count)))
    const passed = saleIds(100_000, 200_000).filter((id) => filter.mayHold(id)).length
    expect(passed).toBeLessThanOrEqual(100)
  })

  it('never denies a sale that it was built with', () => {
    const id = fc.stringMatching(/^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/).map((text) => text as SaleId)
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 300 }), (ids) => {
        const { mayHold } = opened(buildSaleFilter(ids))
        expect(ids.every(mayHold)).toBe(true)
      }),
    )
  })

  it('of no sales holds none, and takes any text for what it is not', () => {
    const { mayHold } = opened(buildSaleFilter([]))
    for (const text of ['mug', '', '秒杀', 'x'.repeat(10_000)]) expect(mayHold(text)).toBe(false)
  })

  it('is the same for the same sales, in whatever order and wherever its bytes lie', () => {
    const ids = saleIds(500)
    const bytes = buildSaleFilter(ids)
    expect(buildSaleFilter(ids.toReversed())).toEqual(bytes)
    const inside = new Uint8Array(bytes.length + 13)
    inside.set(bytes, 5)
    const { mayHold } = opened(inside.subarray(5, 5 + bytes.length))
    expect(ids.every(mayHold)).toBe(true)
  })

  it('is none in other bytes, or in a part of its own', () => {
    const bytes = buildSaleFilter(saleIds(100))
    const wrong = [
      new Uint8Array(),
      bytes.subarray(0, 8),
      bytes.subarray(0, -1),
      bytes.subarray(1),
      Uint8Array.of(...bytes, 0),
      bytes.with(3, 2),
      new TextEncoder().encode('<html>no such object</html>'),
    ]
    for (const some of wrong) expect(openSaleFilter(some)).toBeUndefined()
  })
})
