/** All keys of one script must be in one hash slot of a cluster (P6): the slot of a key follows from its hash tag. */
import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../core/ids.ts'
import { admissionsKey, gateKey, lockKey, sharedListKeys, solvedKey, stockKeys } from '../../redis/keys.ts'
import { saleIdOf } from './support.ts'

const slotCount = 16_384

/** CRC16 as Redis Cluster uses it (XMODEM: polynomial 0x1021, from 0). */
function crc16(text: string): number {
  let crc = 0
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
    crc &= 0xffff
  }
  return crc
}

/** The part of a key that is hashed: the text between the first brace and the next closing one, or the whole key if that is empty. */
function hashed(key: string): string {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open === -1 || close <= open + 1 ? key : key.slice(open + 1, close)
}

const slotOf = (key: string) => crc16(hashed(key)) % slotCount

/** The source's rule taken literally: the text between the two braces, wherever they are, and an error without the second. */
function literalSlot(key: string): number {
  const open = key.indexOf('{')
  if (open === -1) return crc16(key) % slotCount
  const close = key.indexOf('}')
  if (close === -1) throw new RangeError('no closing brace')
  return crc16(key.slice(open + 1, close)) % slotCount
}

describe('the hash slot of a key (P6)', () => {
  it('matches the keys in the specification of Redis', () => {
    expect(crc16('123456789')).toBe(0x31c3)
    expect([slotOf('foo'), slotOf('{user1000}.following')]).toEqual([12_182, slotOf('{user1000}.followers')])
  })

  it('is computed from the whole key when its braces are empty or do not close, where the literal rule fails', () => {
    expect(slotOf('foo{}{bar}')).toBe(crc16('foo{}{bar}') % slotCount)
    expect(literalSlot('foo{}{bar}')).not.toBe(slotOf('foo{}{bar}'))
    expect(slotOf('foo{bar')).toBe(crc16('foo{bar') % slotCount)
    expect(() => literalSlot('foo{bar')).toThrow(RangeError)
    expect(hashed('foo{{bar}}zap')).toBe('{bar')
  })
})

describe('the keys of a sale (P6, S16)', () => {
  it.each(['autumn-mug', 'abc', 'a'.repeat(40)])(
    'of %s share one hash slot, those of the stock and those of the gate',
    (name) => {
      const saleId = saleIdOf(name)
      const stock = Object.values(stockKeys(saleId)).map(slotOf)
      expect(stock).toHaveLength(5)
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
