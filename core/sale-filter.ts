/**
 * A Bloom filter of sale ids (B4): a few bits for each, from which the gate knows of nearly every id that was made up that it
 * is none. It never denies an id that it was built with, and takes fewer than one in a thousand others for known.
 *
 * Four bytes say what this is, four how long the bits are (big endian), then come the bits.
 */
import type { SaleId } from './ids.ts'

/** `SLF` and the version of the format, which fixes the hashes and how many bits an id sets. */
const magic = [0x53, 0x4c, 0x46, 0x01]
const headerBytes = 8

/**
 * With m bits for n ids and k of them set by each, others pass at a rate of about (1 - e^(-kn/m))^k. 15 bits and 10 of them
 * make it 0.07 %, so the promised 0.1 % leave room for chance.
 */
const bitsPerId = 15
const bitsSetById = 10

/** The filter of a small catalogue has room for this many, so that its rate is no worse. */
const fewestIds = 64

/**
 * An id is denied by a filter that was looked at no longer ago than this, ms; so a new sale may be announced as soon as its
 * filter has been there for longer.
 */
export const deniedWithinMs = 250

export type SaleFilter = { mayHold: (saleId: string) => boolean }

/** The filter of `ids`, always the same for the same ids. */
export function buildSaleFilter(ids: readonly SaleId[]): Uint8Array {
  const length = Math.ceil((Math.max(ids.length, fewestIds) * bitsPerId) / 8)
  const filter = new Uint8Array(headerBytes + length)
  filter.set(magic)
  new DataView(filter.buffer).setUint32(magic.length, length)
  const bits = filter.subarray(headerBytes)
  const setBit = (bit: number) => {
    bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7))
    return true
  }
  for (const id of ids) everyBit(id, length * 8, setBit)
  return filter
}

/** The filter in `bytes`, or undefined when there is none in them. */
export function openSaleFilter(bytes: Uint8Array): SaleFilter | undefined {
  const bits = bytes.subarray(headerBytes)
  if (bits.length === 0 || magic.some((byte, at) => bytes[at] !== byte)) return undefined
  if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(magic.length) !== bits.length) return undefined
  const isSet = (bit: number) => ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0
  return { mayHold: (saleId) => everyBit(saleId, bits.length * 8, isSet) }
}

/**
 * Whether `look` is true for each of the `count` bits that an id sets; it is asked until it is not. Enhanced double hashing,
 * so that two hashes do for all (Dillinger, Manolios 2004).
 */
function everyBit(id: string, count: number, look: (bit: number) => boolean): boolean {
  let at = hashOf(id, 0x9e3779b9)
  let step = hashOf(id, 0x85ebca6b)
  for (let turn = 0; turn < bitsSetById; turn += 1) {
    if (!look(at % count)) return false
    at = (at + step) >>> 0
    step = (step + turn) >>> 0
  }
  return true
}

/** FNV-1a from `seed`, stirred as by MurmurHash3 at the end, because ids often differ in their last character only. */
function hashOf(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
