/** Bytes of a draw: hexadecimal digits, and an order of places in a large array. */

/** The most entrants whose records share a group. */
export const maxGroupMembers = 6

/** The most variants that an entry can name: the rest of its record. */
export const maxChoices = 15

/** The lower-case hexadecimal digits of `bytes`. */
export function hexOf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

/** The bytes of an even number of hexadecimal digits. */
export function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
}

/** Numbers of keys, each `keyBytes` long and `stride` behind the one before in `bytes`. */
export type Keys = { bytes: Uint8Array; stride: number; keyBytes: number }

/** Compares key `a` of one array with key `b` of another, as unsigned bytes from the first one on. */
export function compareKeys(one: Keys, a: number, other: Keys, b: number): number {
  let [at, otherAt] = [a * one.stride, b * other.stride]
  for (let left = one.keyBytes; left > 0; left -= 1, at += 1, otherAt += 1) {
    const difference = (one.bytes[at] ?? 0) - (other.bytes[otherAt] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** From how many keys on a radix sort, with its 65,536 digits, is faster than one that compares. */
const manyKeys = 4096

/** The numbers 0 to `count` - 1 in the order of their keys, equal keys in that of their numbers. */
export function numbersByKey(keys: Keys, count: number): Uint32Array {
  const byKey = (a: number, b: number) => compareKeys(keys, a, keys, b) || a - b
  let order = Uint32Array.from({ length: count }, (_, n) => n)
  if (count < manyKeys) return order.sort(byKey)
  const view = new DataView(keys.bytes.buffer, keys.bytes.byteOffset)
  const heads = order.map((n) => view.getUint32(n * keys.stride))
  for (const shift of [0, 16]) order = sortedBy(heads, order, shift)
  // Keys that are random differ in their first four bytes, but for a few.
  for (let from = 0, to = 1; from < count; from = to, to += 1) {
    const head = heads[order[from] ?? 0]
    while (to < count && heads[order[to] ?? 0] === head) to += 1
    if (to - from > 1) order.subarray(from, to).sort(byKey)
  }
  return order
}

/** One pass of a radix sort, by 16 bits of `heads`. */
function sortedBy(heads: Uint32Array, order: Uint32Array, shift: number): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(2 ** 16 + 1)
  const digitOf = (n: number) => ((heads[n] ?? 0) >>> shift) & 0xffff
  for (const n of order) places[digitOf(n) + 1] = (places[digitOf(n) + 1] ?? 0) + 1
  for (let digit = 1; digit < places.length; digit += 1) {
    places[digit] = (places[digit] ?? 0) + (places[digit - 1] ?? 0)
  }
  const sorted = new Uint32Array(order.length)
  for (const n of order) {
    const place = places[digitOf(n)] ?? 0
    sorted[place] = n
    places[digitOf(n)] = place + 1
  }
  return sorted
}
