/**
 * The amounts of red packets as they follow from a split that shoppers can check (docs/reference/packets.md): from a secret
 * seed, whose hash is published first, and a public random round, which comes later. Alike in Node and in a browser.
 */
import { hashBytes, sha256 } from '../draw/sha256.ts'
import { type Draw, drawFrom } from '../lib/random-integers.ts'
import { splitPackets, type Wave } from './packets.ts'

const wordBytes = 4
/** A block is the hash of these bytes: the key, the number of the wave, and the number of the block. */
const blockBytes = hashBytes + 2 * wordBytes

/** The key of the amounts, 32 bytes. `randomness` is that of the round; absent where the packets were split without it. */
export function keyOfSplit(seed: Uint8Array, randomness: Uint8Array = new Uint8Array()): Uint8Array {
  return sha256(new TextEncoder().encode('sluice-rain-1'), seed, randomness)
}

/** Draws for the wave with this number, from 0, each wave from a stream of its own. */
export function drawFromKey(key: Uint8Array, wave: number): Draw {
  const input = new Uint8Array(blockBytes)
  input.set(key)
  const numbers = new DataView(input.buffer, hashBytes)
  numbers.setUint32(0, wave)
  let block: DataView = new DataView(new ArrayBuffer(0))
  let [at, blocks] = [0, 0]
  return drawFrom(() => {
    if (at === block.byteLength) {
      numbers.setUint32(wordBytes, blocks)
      block = new DataView(sha256(input).buffer)
      blocks += 1
      at = 0
    }
    const word = block.getUint32(at)
    at += wordBytes
    return word
  })
}

/** The amounts of all packets of `waves` in minor units, by their numbers; `drawOf` gives the draws of a wave. */
export function splitWaves(waves: readonly Wave[], drawOf: (wave: number) => Draw): Float64Array {
  const amounts = new Float64Array(waves.reduce((sum, { count }) => sum + count, 0))
  let at = 0
  for (const [number, wave] of waves.entries()) {
    amounts.set(splitPackets(wave, drawOf(number)), at)
    at += wave.count
  }
  return amounts
}
