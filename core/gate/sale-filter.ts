/**
 * A Bloom filter of sale ids (B4): with a few bits per id the gate rejects nearly every invented id. It never denies an
 * id that it was built with, and accepts fewer than one in a thousand others. Nobody can predict which ones: the hash
 * has a key, which only the gate's store holds. It is HalfSipHash-2-4 with 64 bits of output (Aumasson, Bernstein 2012;
 * github.com/veorq/SipHash), in plain 32-bit arithmetic, because the core imports nothing.
 *
 * The format: four bytes of magic, eight of key, four of length in bits (big endian), then the bits.
 */
import type { SaleId } from '../ids.ts'

const hashKeyBytes = 8

/** Two numbers from 0 to 2^32 - 1. `key` has `hashKeyBytes` bytes. */
export function halfSipHash(bytes: Uint8Array, key: DataView): [number, number] {
  const k0 = key.getUint32(0, true)
  const k1 = key.getUint32(4, true)
  let v0 = k0
  let v1 = k1 ^ 0xee
  let v2 = 0x6c796765 ^ k0
  let v3 = 0x74656462 ^ k1

  function mix(rounds: number): void {
    for (let round = 0; round < rounds; round += 1) {
      v0 = (v0 + v1) | 0
      v1 = rotate(v1, 5) ^ v0
      v0 = rotate(v0, 16)
      v2 = (v2 + v3) | 0
      v3 = rotate(v3, 8) ^ v2
      v0 = (v0 + v3) | 0
      v3 = rotate(v3, 7) ^ v0
      v2 = (v2 + v1) | 0
      v1 = rotate(v1, 13) ^ v2
      v2 = rotate(v2, 16)
    }
  }

  function absorb(word: number): void {
    v3 ^= word
    mix(2)
    v0 ^= word
  }

  const whole = bytes.length & ~3
  for (let at = 0; at < whole; at += 4) absorb(wordAt(bytes, at))
  absorb((bytes.length << 24) | wordAt(bytes, whole))
  v2 ^= 0xee
  mix(4)
  const first = (v1 ^ v3) >>> 0
  v1 ^= 0xdd
  mix(4)
  return [first, (v1 ^ v3) >>> 0]
}

const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits))

/** Four bytes, the lowest first; those beyond the end are 0. */
function wordAt(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
  return a | (b << 8) | (c << 16) | (d << 24)
}

/** `SLF` and the version of the format, which fixes the hashes and the bits per id. */
const magic = [0x53, 0x4c, 0x46, 0x02]
const headerBytes = magic.length + hashKeyBytes + 4

/**
 * With m bits for n ids and k bits each, others pass at a rate of about (1 - e^(-kn/m))^k. 16 bits
 * and 11 of them make it 0.046 %, well below the required 0.1 %.
 */
const bitsPerId = 16
const bitsSetPerId = 11

/** Minimum capacity: with very few bits, the false-positive rate would vary by chance. */
const minIds = 1024

/** A filter has room for an eighth more ids than it was built with. */
const capacityFor = (ids: number) => Math.max(Math.ceil(ids * 1.125), minIds)

/**
 * The gate denies an id only by a filter checked at most this long ago, ms; so a new sale may be
 * announced once its filter has been published for longer.
 */
export const maxFilterAgeMs = 250

export type SaleFilter = { mayHold: (saleId: string) => boolean }

export const filterKeyBytes = hashKeyBytes

/** Returns the filter of `ids` under `key`, which is random and `filterKeyBytes` long; always the same for the same of both. */
export function buildSaleFilter(ids: readonly SaleId[], key: Uint8Array): Uint8Array {
  const length = Math.ceil((capacityFor(ids.length) * bitsPerId) / 8)
  const filter = new Uint8Array(headerBytes + length)
  filter.set(magic)
  filter.set(key.subarray(0, hashKeyBytes), magic.length)
  viewOf(filter).setUint32(headerBytes - 4, length)
  for (const id of ids) add(filter, id)
  return filter
}

/** Returns the filter in `bytes` with one more id; undefined once half of its bits are set, and for other content. */
export function withSaleId(bytes: Uint8Array, id: SaleId): Uint8Array | undefined {
  if (openSaleFilter(bytes) === undefined) return undefined
  const bits = bytes.subarray(headerBytes)
  const set = bits.reduce((sum, byte) => sum + bitsIn(byte), 0)
  if (set * 2 > bits.length * 8) return undefined
  const filter = Uint8Array.from(bytes)
  add(filter, id)
  return filter
}

function add(filter: Uint8Array, id: SaleId): void {
  const bits = filter.subarray(headerBytes)
  bitTester(keyIn(filter), bits.length * 8)(id, (bit) => {
    bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7))
    return true
  })
}

const bitsIn = (byte: number) => {
  let count = 0
  for (let left = byte; left > 0; left >>= 1) count += left & 1
  return count
}

/** Returns the filter in `bytes`, or undefined for any other content. */
export function openSaleFilter(bytes: Uint8Array): SaleFilter | undefined {
  const bits = bytes.subarray(headerBytes)
  if (bits.length === 0 || magic.some((byte, at) => bytes[at] !== byte)) return undefined
  if (viewOf(bytes).getUint32(headerBytes - 4) !== bits.length) return undefined
  const isSet = (bit: number) => ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0
  const everyBit = bitTester(keyIn(bytes), bits.length * 8)
  return { mayHold: (saleId) => everyBit(saleId, isSet) }
}

/**
 * True when `look` is true for each of the bits, of `count`, that an id sets. Each pair of bits has
 * a hash of its own: bits derived from one hash repeat themselves in small filters.
 */
function bitTester(key: DataView, count: number) {
  const encoder = new TextEncoder()
  return (id: string, test: (bit: number) => boolean): boolean => {
    const text = encoder.encode(`\0${id}`)
    for (let index = 0; index < bitsSetPerId; index += 2) {
      text[0] = index
      const [first, second] = halfSipHash(text, key)
      if (!test(first % count)) return false
      if (index + 1 < bitsSetPerId && !test(second % count)) return false
    }
    return true
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const keyIn = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset + magic.length, hashKeyBytes)
