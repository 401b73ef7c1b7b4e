import { describe, expect, it } from 'vitest'
import {
  buildSaleFilter,
  halfSipHash,
  openSaleFilter,
  type SaleFilter,
  withSaleId,
} from '../../../core/gate/sale-filter.ts'
import { parseSaleId, type SaleId } from '../../../core/ids.ts'

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
    if (saleId === undefined) throw new Error('a test made an invalid id')
    return saleId
  })

function opened(bytes: Uint8Array): SaleFilter {
  const filter = openSaleFilter(bytes)
  if (filter === undefined) throw new Error('that is no filter')
  return filter
}

/** Fixed, so that every run measures the same. */
const key = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
const otherKey = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1)

describe('the filter of sale ids (B4)', () => {
  const sales = saleIds(100_000)
  const foreign = saleIds(200_000, 100_000)

  it('is measured with ids that are all different', () => {
    expect(new Set([...sales, ...foreign]).size).toBe(sales.length + foreign.length)
  })

  it.each([1, 5, 64, 1000, 100_000])('passes at most one in a thousand foreign ids, at %i sales', (count) => {
    const ids = sales.slice(0, count)
    const bytes = buildSaleFilter(ids, key)
    const filter = opened(bytes)
    expect(ids.filter((id) => !filter.mayHold(id))).toEqual([])
    const rate = foreign.filter((id) => filter.mayHold(id)).length / foreign.length
    // An eighth more has room.
    expect(bytes).toHaveLength(16 + (Math.max(count * 1.125, 1024) * 16) / 8)
    expect(rate).toBeLessThanOrEqual(0.001)
  })

  it.each([10, 1000, 10_000])(
    'takes one more id after the other beside %i, until it would pass too many others',
    (count) => {
      let bytes = buildSaleFilter(sales.slice(0, count), key)
      const more = sales.slice(count, 3 * count + 3000)
      let added = 0
      for (const id of more) {
        const next = withSaleId(bytes, id)
        if (next === undefined) break
        bytes = next
        added += 1
        expect(opened(bytes).mayHold(id)).toBe(true)
      }
      expect(added).toBeGreaterThanOrEqual(count / 10)
      expect(added).toBeLessThan(more.length)
      const filter = opened(bytes)
      expect(sales.slice(0, count + added).filter((id) => !filter.mayHold(id))).toEqual([])
      const rate = foreign.filter((id) => filter.mayHold(id)).length / foreign.length
      expect(rate).toBeLessThanOrEqual(0.001)
    },
  )

  it('of other bytes takes no id, and the filter that it was made of stays as it was', () => {
    const [first, second] = sales
    if (first === undefined || second === undefined) throw new Error('there are no sales')
    const bytes = buildSaleFilter([first], key)
    const before = Uint8Array.from(bytes)
    expect(opened(withSaleId(bytes, second) ?? new Uint8Array()).mayHold(second)).toBe(true)
    expect(bytes).toEqual(before)
    expect(withSaleId(bytes.subarray(1), second)).toBeUndefined()
  })

  it('lets no attacker with this code compute ids that pass: that depends on a key (B4)', () => {
    const ids = sales.slice(0, 1024)
    const guessed = opened(buildSaleFilter(ids, otherKey))
    const found = foreign.filter(guessed.mayHold)
    expect(found.length, 'ids that pass under another key').toBeGreaterThan(20)
    const real = opened(buildSaleFilter(ids, key))
    expect(found.filter((id) => real.mayHold(id))).toEqual([])
  })

  it('of no sales rejects any text', () => {
    const { mayHold } = opened(buildSaleFilter([], key))
    for (const text of ['mug', '', '秒杀', 'x'.repeat(10_000)]) expect(mayHold(text)).toBe(false)
  })

  it('is the same for the same sales, in any order and at any offset of its bytes', () => {
    const ids = sales.slice(0, 500)
    const bytes = buildSaleFilter(ids, key)
    expect(buildSaleFilter(ids.toReversed(), key)).toEqual(bytes)
    const inside = new Uint8Array(bytes.length + 13)
    inside.set(bytes, 5)
    const { mayHold } = opened(inside.subarray(5, 5 + bytes.length))
    expect(ids.every(mayHold)).toBe(true)
  })

  it('is invalid in other bytes, or in a part of its own', () => {
    const bytes = buildSaleFilter(sales.slice(0, 100), key)
    const wrong = [
      new Uint8Array(),
      bytes.subarray(0, 16),
      bytes.subarray(0, -1),
      bytes.subarray(1),
      Uint8Array.of(...bytes, 0),
      bytes.with(3, 1),
      new TextEncoder().encode('<html>no such object</html>'),
    ]
    for (const some of wrong) expect(openSaleFilter(some)).toBeUndefined()
  })
})

/**
 * `vectors_hsip64` of the reference implementation (github.com/veorq/SipHash, vectors.h): key
 * 00..07, input 00 01 02 …
 */
const vectors: [length: number, output: string][] = [
  [0, '218d1f59b9b83cc8'],
  [1, 'be552412f8387315'],
  [2, '064f39ef7c50eb57'],
  [3, 'ce0f1a45f7060679'],
  [4, 'd5e78a175be52ea1'],
  [5, 'cb9d7c3f2f3db580'],
  [12, '7bc71f9faef5c799'],
  [15, '217d0bcb4e81c902'],
]

const upTo = (length: number) => Uint8Array.from({ length }, (_, at) => at)

it.each(vectors)('HalfSipHash hashes %i bytes as the reference does', (length, output) => {
  const numbers = halfSipHash(upTo(length), new DataView(upTo(8).buffer))
  const bytes = Buffer.alloc(8)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32LE(number, at * 4)
  expect(bytes.toString('hex')).toBe(output)
})
