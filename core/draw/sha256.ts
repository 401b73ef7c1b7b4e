/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) in plain 32-bit arithmetic: the check of a draw needs millions of hashes of
 * short messages, alike in Node and in a worker of a browser. A call of `crypto` for each costs more than the hash, and
 * `crypto.subtle` a promise.
 */

export const hashBytes = 32

const blockBytes = 64
const lengthBytes = 8

const roundConstants = /* @__PURE__ */ rootsOf(64, 3)
const initialState = /* @__PURE__ */ rootsOf(8, 2)

/** The first 32 bits of the fractional parts of the roots of the first primes, exactly. */
function rootsOf(count: number, degree: 2 | 3): Int32Array {
  const words = new Int32Array(count)
  for (let prime = 2, found = 0; found < count; prime += 1) {
    if (hasDivisor(prime)) continue
    words[found] = Number(BigInt.asIntN(32, rootOf(BigInt(prime) << BigInt(32 * degree), BigInt(degree))))
    found += 1
  }
  return words
}

function hasDivisor(number: number): boolean {
  for (let by = 2; by * by <= number; by += 1) if (number % by === 0) return true
  return false
}

/** The largest whole number whose power is at most `power`. */
function rootOf(power: bigint, degree: bigint): bigint {
  let root = 0n
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((root + bit) ** degree <= power) root += bit
  return root
}

const schedule = /* @__PURE__ */ new Int32Array(64)

/** Adds the block at `at` of `bytes` to the state. */
function compress(state: Int32Array, bytes: Uint8Array, at: number): void {
  const w = schedule
  const k = roundConstants
  for (let t = 0, b = at; t < 16; t += 1, b += 4) {
    w[t] = ((bytes[b] as number) << 24) | ((bytes[b + 1] as number) << 16) | ((bytes[b + 2] as number) << 8) | (bytes[b + 3] as number)
  }
  for (let t = 16; t < 64; t += 1) {
    const x = w[t - 15] as number
    const y = w[t - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[t] = ((w[t - 16] as number) + s0 + (w[t - 7] as number) + s1) | 0
  }
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  let f = state[5] as number
  let g = state[6] as number
  let h = state[7] as number
  for (let t = 0; t < 64; t += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + (k[t] as number) + (w[t] as number)) | 0
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
  state[0] = (state[0] as number) + a
  state[1] = (state[1] as number) + b
  state[2] = (state[2] as number) + c
  state[3] = (state[3] as number) + d
  state[4] = (state[4] as number) + e
  state[5] = (state[5] as number) + f
  state[6] = (state[6] as number) + g
  state[7] = (state[7] as number) + h
}
export { compress }
