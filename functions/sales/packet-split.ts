/**
 * Splits the red packets of a sale: the amounts follow from a secret seed that is drawn at random at the first load. Only the
 * table knows it, so packets that Redis has lost are split the same way again.
 */
import { createCipheriv } from 'node:crypto'
import { type RandomInteger, randomIntegerFrom } from '../../core/lib/random-integers.ts'
import { packetBatches, splitPackets } from '../../core/packets/packets.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { packetSeed, seedBytes } from '../table/packets/packet-seeds.ts'

export const presentWaves = (sale: Sale) => packetBatches(sale).slice(0, sale.windowIndex + 1)

/** Returns all amounts up to the present window, in minor units, by number. @throws when the table is unavailable */
export async function packetAmounts(
  { table, randomBytes }: Pick<ShopContext, 'table' | 'randomBytes'>,
  sale: Sale,
): Promise<Float64Array> {
  return splitAmounts(await packetSeed(table, sale.saleId, () => randomBytes(seedBytes)), sale)
}

/** Splits the amounts by a known seed. Each wave draws from a stream of its own, so a later wave changes no earlier one. */
export function splitAmounts(seed: Uint8Array, sale: Sale): Float64Array {
  const waves = presentWaves(sale)
  const amounts = new Float64Array(waves.reduce((sum, { count }) => sum + count, 0))
  let at = 0
  for (const [number, wave] of waves.entries()) {
    amounts.set(splitPackets(wave, drawFromSeed(seed, number)), at)
    at += wave.count
  }
  return amounts
}

const blockBytes = 65_536
const zeros = new Uint8Array(blockBytes)

/**
 * Returns random draws from the key stream of AES-256 in counter mode under `seed`: unpredictable without the seed,
 * reproducible with it. Each `stream` is independent of how much was drawn from the others.
 * @throws when the seed has not `seedBytes`
 */
export function drawFromSeed(seed: Uint8Array, stream: number): RandomInteger {
  const nonce = new Uint8Array(16)
  // The counter uses the other end, and never reaches these bytes.
  new DataView(nonce.buffer).setUint32(0, stream)
  const cipher = createCipheriv('aes-256-ctr', seed, nonce)
  let block = new DataView(new ArrayBuffer(0))
  let at = 0
  return randomIntegerFrom(() => {
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
