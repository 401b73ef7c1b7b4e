/** Red packets on the shelf in memory, by the rules of load-packets.lua; nobody claims them here. */
import type { SaleId } from '../../../core/ids.ts'
import type { PacketSeeds, PacketStock } from '../../../functions/sales/load-packets.ts'
import type { LoadedPacket } from '../../../redis/packets.ts'

export type MemoryPacketShelf = PacketStock & {
  /** What was loaded of each sale, in the order in which it will be claimed. */
  loaded: Map<SaleId, LoadedPacket[]>
  /** How many chunks came. */
  chunks: number
}

/** `totalOf` tells how many units of the sale are on the shelf, undefined when there is none. */
export function memoryPacketShelf(
  totalOf: (saleId: SaleId) => number | undefined,
  chunkSize = 3,
): MemoryPacketShelf {
  const upTo = new Map<SaleId, number>()
  const shelf: MemoryPacketShelf = {
    loaded: new Map(),
    chunks: 0,
    chunkSize,
    async count(saleId) {
      const total = totalOf(saleId)
      if (total === undefined) return undefined
      const loaded = upTo.get(saleId) ?? 0
      return { total, loaded, waiting: shelf.loaded.get(saleId)?.length ?? 0, claims: 0 }
    },
    async load(saleId, { from, to, packets }) {
      shelf.chunks += 1
      if (totalOf(saleId) === undefined) return { kind: 'unknown-sale' }
      const loaded = upTo.get(saleId) ?? 0
      if (to <= loaded) return { kind: 'repeat', loaded }
      if (from !== loaded) return { kind: 'gap', loaded }
      shelf.loaded.set(saleId, [...(shelf.loaded.get(saleId) ?? []), ...packets])
      upTo.set(saleId, to)
      return { kind: 'loaded', loaded: to }
    },
  }
  return shelf
}

/** A seed for each sale, which is the same each time it is asked for. */
export function memoryPacketSeeds(): PacketSeeds {
  return { of: async (saleId) => new Uint8Array(32).fill(saleId.length) }
}
