/** All keys of one script must lie in one saleWindow of a cluster (P6): the saleWindow of a key follows from its hash tag. */
import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../core/ids.ts'
import { admissionsKey, gateKey, lockKey, sharedListKeys, solvedKey, stockKeys } from '../../redis/keys.ts'
import { saleIdOf } from './support.ts'

const windows = 16_384

/** CRC16 as clusters of Redis use it (XMODEM: polynomial 0x1021, from 0). */
function crc16(text: string): number {
  let crc = 0
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
    crc &= 0xffff
  }
  return crc
}

/** What of a key is hashed: between the first brace and the next closing one, if anything is; else all of it. */
function hashed(key: string): string {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open === -1 || close <= open + 1 ? key : key.slice(open + 1, close)
}

const windowOf = (key: string) => crc16(hashed(key)) % windows

/** The source's rule as it stands: whatever lies between the two braces, wherever they are, and an error without the second. */
function literalSlot(key: string): number {
  const open = key.indexOf('{')
  if (open === -1) return crc16(key) % windows
  const close = key.indexOf('}')
  if (close === -1) throw new RangeError('no closing brace')
  return crc16(key.slice(open + 1, close)) % windows
}

describe('the saleWindow of a key (P6)', () => {
  it('is that of Redis for the keys of its own specification', () => {
    expect(crc16('123456789')).toBe(0x31c3)
    expect([windowOf('foo'), windowOf('{user1000}.following')]).toEqual([
      12_182,
      windowOf('{user1000}.followers'),
    ])
  })

  it('hashes a key whole where its braces hold nothing or do not close, on which the literal rule fails', () => {
    expect(windowOf('foo{}{bar}')).toBe(crc16('foo{}{bar}') % windows)
    expect(literalSlot('foo{}{bar}')).not.toBe(windowOf('foo{}{bar}'))
    expect(windowOf('foo{bar')).toBe(crc16('foo{bar') % windows)
    expect(() => literalSlot('foo{bar')).toThrow(RangeError)
    expect(hashed('foo{{bar}}zap')).toBe('{bar')
  })
})

describe('the keys of a sale (P6, S16)', () => {
  it.each(['autumn-mug', 'abc', 'a'.repeat(40)])(
    'of %s lie in one saleWindow, those of the stock and those of the gate',
    (name) => {
      const saleId = saleIdOf(name)
      const stock = Object.values(stockKeys(saleId)).map(windowOf)
      expect(stock).toHaveLength(6)
      expect(new Set(stock).size).toBe(1)
      const gate = [gateKey(saleId), admissionsKey(saleId), solvedKey(saleId, 'abc'), lockKey(saleId)]
      expect(new Set(gate.map(windowOf)).size).toBe(1)
    },
  )

  it('of the lists beside sales lie in one saleWindow too', () => {
    expect(new Set(Object.values(sharedListKeys).map(windowOf)).size).toBe(1)
  })

  it('cannot be moved by an id, which never holds a brace', () => {
    for (const id of ['a{b}c', '{}', 'a}b', '{abc}']) expect(parseSaleId(id)).toBeUndefined()
  })
})
