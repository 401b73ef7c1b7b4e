/** Seeds of red packets for tests. */
import type { PacketSeeds } from '../../functions/table/packets/packet-seeds.ts'

/** A seed for each sale, the same on each call. */
export function memoryPacketSeeds(): PacketSeeds {
  return { of: async (saleId) => new Uint8Array(32).fill(saleId.length) }
}
