/** All keys of one script must be in one hash slot of a cluster (P6): the slot of a key follows from its hash tag. */
import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../core/ids.ts'
import { slotCount, slotOf } from '../../core/stock/hash-slot.ts'
import { admissionsKey, gateKey, lockKey, sharedListKeys, solvedKey, stockKeys } from '../../redis/keys.ts'
import { saleIdOf } from './support.ts'

/** The source's rule taken literally: the text between the two braces, wherever they are, and an error without the second. */
function literalSlot(key: string): number {
  const open = key.indexOf('{')
  if (open === -1) return slotOf(key)
  const close = key.indexOf('}')
  if (close === -1) throw new RangeError('no closing brace')
  return slotOf(key.slice(open + 1, close))
}

describe('the hash slot of a key (P6)', () => {
  it('matches the keys in the specification of Redis', () => {
    expect(slotOf('123456789')).toBe(0x31c3 % slotCount)
    expect([slotOf('foo'), slotOf('{user1000}.following')]).toEqual([12_182, slotOf('{user1000}.followers')])
  })

  it('is computed from the whole key when its braces are empty or do not close, where the literal rule fails', () => {
    expect(slotOf('foo{}{bar}')).toBe(8_363)
    expect(literalSlot('foo{}{bar}')).not.toBe(slotOf('foo{}{bar}'))
    expect(slotOf('foo{bar')).toBe(15_278)
    expect(() => literalSlot('foo{bar')).toThrow(RangeError)
    expect(slotOf('foo{{bar}}zap')).toBe(slotOf('{bar'))
    expect(slotOf(null)).toBe(0)
  })
})

describe('the keys of a sale (P6, S16)', () => {
  it.each(['autumn-mug', 'abc', 'a'.repeat(40)])(
    'of %s share one hash slot, those of the stock and those of the gate',
    (name) => {
      const saleId = saleIdOf(name)
      const stock = Object.values(stockKeys(saleId)).map(slotOf)
      expect(stock).toHaveLength(4)
      expect(new Set(stock).size).toBe(1)
      const gate = [gateKey(saleId), admissionsKey(saleId), solvedKey(saleId, 'abc'), lockKey(saleId)]
      expect(new Set(gate.map(slotOf)).size).toBe(1)
    },
  )

  it('of the shared lists share one hash slot too', () => {
    expect(new Set(Object.values(sharedListKeys).map(slotOf)).size).toBe(1)
  })

  it('cannot be moved by an id, because an id has no brace', () => {
    for (const id of ['a{b}c', '{}', 'a}b', '{abc}']) expect(parseSaleId(id)).toBeUndefined()
  })
})
