/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) in plain 32-bit arithmetic: the check of a draw hashes millions of short
 * messages, alike in Node and in a worker of a browser. A call of Node's `crypto` costs more than such a hash, and
 * `crypto.subtle` answers with a promise for each.
 */

export const hashBytes = 32

const blockBytes = 64

const roundConstants = /* @__PURE__ */ fractionsOf(64, 3)
const initialState = /* @__PURE__ */ fractionsOf(8, 2)

/** The first 32 bits of the fractions of the square or cube roots of the first primes. */
function fractionsOf(count: number, degree: 2 | 3): Int32Array {
  const words: bigint[] = []
  for (let prime = 2; words.length < count; prime += 1) {
    if (hasDivisor(prime)) continue
    words.push(rootOf(BigInt(prime) << BigInt(32 * degree), BigInt(degree)))
  }
  return Int32Array.from(words, (word) => Number(BigInt.asIntN(32, word)))
}

function hasDivisor(number: number): boolean {
  for (let by = 2; by * by <= number; by += 1) if (number % by === 0) return true
  return false
}

/** The largest whole number whose power is at most `power`; below 2^41. */
function rootOf(power: bigint, degree: bigint): bigint {
  let root = 0n
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((root + bit) ** degree <= power) root += bit
  return root
}

const schedule = /* @__PURE__ */ new Int32Array(64)

/** Hashes the block at `at` of `bytes` into `state`. */
function compress(state: Int32Array, bytes: Uint8Array, at: number): void {
  const w = schedule
  const k = roundConstants
  for (let t = 0, b = at; t < 16; t += 1, b += 4) {
    w[t] = ((bytes[b] ?? 0) << 24) | ((bytes[b + 1] ?? 0) << 16) | ((bytes[b + 2] ?? 0) << 8) | (bytes[b + 3] ?? 0)
  }
  for (let t = 16; t < 64; t += 1) {
    const x = w[t - 15] ?? 0
    const y = w[t - 2] ?? 0
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[t] = ((w[t - 16] ?? 0) + s0 + (w[t - 7] ?? 0) + s1) | 0
  }
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  let e = state[4] ?? 0
  let f = state[5] ?? 0
  let g = state[6] ?? 0
  let h = state[7] ?? 0
  for (let t = 0; t < 64; t += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + (k[t] ?? 0) + (w[t] ?? 0)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = (state[0] ?? 0) + a
  state[1] = (state[1] ?? 0) + b
  state[2] = (state[2] ?? 0) + c
  state[3] = (state[3] ?? 0) + d
  state[4] = (state[4] ?? 0) + e
  state[5] = (state[5] ?? 0) + f
  state[6] = (state[6] ?? 0) + g
  state[7] = (state[7] ?? 0) + h
}

function writeState(state: Int32Array, out: Uint8Array, at: number): void {
  for (let word = 0; word < 8; word += 1) {
    const value = state[word] ?? 0
    out[at + 4 * word] = value >>> 24
    out[at + 4 * word + 1] = value >>> 16
    out[at + 4 * word + 2] = value >>> 8
    out[at + 4 * word + 3] = value
  }
}

/** Pads a message of `length` bytes, which is at the start of `blocks`. Everything behind it is 0. */
function pad(blocks: Uint8Array, length: number): void {
  blocks[length] = 0x80
  const view = new DataView(blocks.buffer, blocks.byteOffset)
  view.setUint32(blocks.length - 8, Math.floor(length / 2 ** 29))
  view.setUint32(blocks.length - 4, (length << 3) >>> 0)
}

/** The hash of all parts, one behind the other. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const blocks = new Uint8Array(Math.ceil((length + 9) / blockBytes) * blockBytes)
  let at = 0
  for (const part of parts) {
    blocks.set(part, at)
    at += part.length
  }
  pad(blocks, length)
  const state = initialState.slice()
  for (let block = 0; block < blocks.length; block += blockBytes) compress(state, blocks, block)
  const hash = new Uint8Array(hashBytes)
  writeState(state, hash, 0)
  return hash
}

/** Two blocks for a message of one byte and 64 more, padded. */
const twoBlocks = /* @__PURE__ */ paddedBlocks(2, blockBytes + 1)
const scratch = /* @__PURE__ */ new Int32Array(8)

function paddedBlocks(count: number, length: number): Uint8Array {
  const blocks = new Uint8Array(count * blockBytes)
  pad(blocks, length)
  return blocks
}

/** Writes the hash of a byte and the 64 bytes at `at` of `bytes` to `outAt` of `out`, which may be the same array. */
export function hashBehind(prefix: number, [bytes, at]: BytesAt, [out, outAt]: BytesAt): void {
  twoBlocks[0] = prefix
  for (let i = 0; i < blockBytes; i += 1) twoBlocks[i + 1] = bytes[at + i] ?? 0
  scratch.set(initialState)
  compress(scratch, twoBlocks, 0)
  compress(scratch, twoBlocks, blockBytes)
  writeState(scratch, out, outAt)
}

/** A place in an array of bytes. */
export type BytesAt = readonly [bytes: Uint8Array, at: number]

/**
 * HMAC-SHA256 with `key`, of at most 64 bytes, for messages of `messageBytes`, at most 55. The function writes the
 * code of `message` to a place.
 */
export function hmacSha256(key: Uint8Array, messageBytes: number): (message: Uint8Array, to: BytesAt) => void {
  const stateAfter = (mask: number) => {
    const block = new Uint8Array(blockBytes).fill(mask)
    key.forEach((byte, i) => {
      block[i] = byte ^ mask
    })
    const state = initialState.slice()
    compress(state, block, 0)
    return state
  }
  const [inner, outer] = [stateAfter(0x36), stateAfter(0x5c)]
  const innerBlock = paddedBlocks(1, messageBytes)
  const outerBlock = paddedBlocks(1, hashBytes)
  // The block of the key comes first, and counts in the length.
  for (const block of [innerBlock, outerBlock]) {
    const view = new DataView(block.buffer)
    view.setUint32(blockBytes - 4, view.getUint32(blockBytes - 4) + 8 * blockBytes)
  }
  return (message, [out, outAt]) => {
    for (let i = 0; i < messageBytes; i += 1) innerBlock[i] = message[i] ?? 0
    scratch.set(inner)
    compress(scratch, innerBlock, 0)
    writeState(scratch, outerBlock, 0)
    scratch.set(outer)
    compress(scratch, outerBlock, 0)
    writeState(scratch, out, outAt)
  }
}
