/**
 * HalfSipHash-2-4 with 64 bits of output (Aumasson, Bernstein 2012; github.com/veorq/SipHash): maps
 * short texts to numbers that are unpredictable without the key. Plain 32-bit arithmetic, because
 * the core imports nothing.
 */

export const hashKeyBytes = 8

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
