/** Random draws that follow from a secret seed: unpredictable without it, the same with it. */
import { createCipheriv } from 'node:crypto'
import { type Draw, drawFrom } from '../../core/lib/random-integers.ts'

const blockBytes = 65_536
const zeros = new Uint8Array(blockBytes)

/**
 * Draws from the key stream of AES-256 in counter mode under `seed`. Each `stream` is one of its
 * own, so that what is drawn from one does not depend on how much was drawn from another.
 * @throws when the seed has not `seedBytes`
 */
export function drawFromSeed(seed: Uint8Array, stream: number): Draw {
  const nonce = new Uint8Array(16)
  // The counter counts at the other end, and never as far as here.
  new DataView(nonce.buffer).setUint32(0, stream)
  const cipher = createCipheriv('aes-256-ctr', seed, nonce)
  let block = new DataView(new ArrayBuffer(0))
  let at = 0
  return drawFrom(() => {
    if (at === block.byteLength) {
      const bytes = cipher.update(zeros)
      block = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      at = 0
    }
    const word = block.getUint32(at)
    at += 4
    return word
  })
}
