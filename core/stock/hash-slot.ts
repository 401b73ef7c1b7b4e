/** The hash slot of a Redis key as in Redis Cluster (P6), and the shard of a shopper in a split stock. */
import type { ShopperId } from '../ids.ts'

export const slotCount = 16_384

/** Returns the slot of `key`, 0 to 16383: CRC16 (XMODEM: polynomial 0x1021, from 0) of its hash tag, modulo 16384. */
export function slotOf(key: string | null): number {
  if (key === null) return 0
  let crc = 0
  for (const byte of new TextEncoder().encode(hashed(key))) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
    crc &= 0xffff
  }
  return crc % slotCount
}

/** Returns the hash tag: the text between the first brace and the next closing brace, or else the whole key. */
function hashed(key: string): string {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open === -1 || close <= open + 1 ? key : key.slice(open + 1, close)
}

/** Returns the shard with all orders of a shopper (S14), so that one script decides repeats, limit, throttle and stock. */
export function shardNumberOf(shopperId: ShopperId, shardCount: number): number {
  return slotOf(shopperId) % shardCount
}
