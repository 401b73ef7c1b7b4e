/**
 * A Bloom filter of sale ids (B4), with which the gate rejects nearly every invented id. It has no false negatives and fewer
 * than one false positive in a thousand. Nobody can predict these, because the hash has a secret key that only the gate's
 * store holds. The hash is HalfSipHash-2-4 with 64 bits of output (Aumasson, Bernstein 2012; github.com/veorq/SipHash), in
 * 32-bit arithmetic, because the core has no dependencies.
 *
 * The format: four bytes of magic, eight of key, four of length in bytes (big endian), then the bits.
 */
import type { SaleId } from '../ids.ts'

const hashKeyBytes = 8

/** Returns two numbers from 0 to 2^32 - 1. `key` has `hashKeyBytes` bytes. */
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

/** Reads four bytes, little endian. Bytes beyond the end are 0. */
function wordAt(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
  return a | (b << 8) | (c << 16) | (d << 24)
}

/** `SLF` and the version of the format, which determines the hash and the bits per id. */
const magic = [0x53, 0x4c, 0x46, 0x02]
const headerBytes = magic.length + hashKeyBytes + 4

/**
 * With m bits for n ids and k bits set by each, the rate of false positives is about (1 - e^(-kn/m))^k. 16 bits per id, 11
 * of them set, make it 0.046 %, well below the required 0.1 %.
 */
const bitsPerId = 16
const bitsSetPerId = 11

/** Minimum capacity: with very few bits, the false-positive rate would vary by chance. */
const minIds = 1024

/** Leaves room for an eighth more ids. */
const capacityFor = (ids: number) => Math.max(Math.ceil(ids * 1.125), minIds)

/**
 * The gate rejects an id only by a filter that it has checked within this time, ms. So a new sale may be announced once
 * its filter has been published for longer.
 */
export const maxFilterAgeMs = 250

export type SaleFilter = { mayHold: (saleId: string) => boolean }

export const filterKeyBytes = hashKeyBytes

/** Builds the filter of `ids`. `key` has `filterKeyBytes` random bytes. The result is deterministic. */
export function buildSaleFilter(ids: readonly SaleId[], key: Uint8Array): Uint8Array {
  const length = Math.ceil((capacityFor(ids.length) * bitsPerId) / 8)
  const filter = new Uint8Array(headerBytes + length)
  filter.set(magic)
  filter.set(key.subarray(0, hashKeyBytes), magic.length)
  viewOf(filter).setUint32(headerBytes - 4, length)
  for (const id of ids) add(filter, id)
  return filter
}

/** Returns the filter in `bytes` with one more id; undefined if more than half of its bits are set, or for other content. */
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

export function openSaleFilter(bytes: Uint8Array): SaleFilter | undefined {
  const bits = bytes.subarray(headerBytes)
  if (bits.length === 0 || magic.some((byte, at) => bytes[at] !== byte)) return undefined
  if (viewOf(bytes).getUint32(headerBytes - 4) !== bits.length) return undefined
  const isSet = (bit: number) => ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0
  const everyBit = bitTester(keyIn(bytes), bits.length * 8)
  return { mayHold: (saleId) => everyBit(saleId, isSet) }
}

/**
 * Returns a function that is true when `test` is true for each bit of an id in a filter of `count` bits. Each pair of bits
 * has its own hash, because bits derived from one hash repeat in small filters.
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
