/**
 * Loaded red packets in memory, by the rules of load-packets.lua and unhold-packets.lua; none is
 * ever claimed here.
 */
import type { SaleId } from '../../../core/ids.ts'
import type { PacketSeeds, PacketStock } from '../../../functions/sales/load-packets.ts'
import type { LoadedPacket } from '../../../redis/packets.ts'

export type MemoryPacketStock = PacketStock & {
  /** The loaded packets of each sale, in the order in which they will be claimed. */
  loaded: Map<SaleId, LoadedPacket[]>
  /** The number of loaded chunks. */
  chunks: number
}

/** `totalOf` returns the stock of a sale, undefined when it is not loaded. */
export function memoryPacketStock(
  totalOf: (saleId: SaleId) => number | undefined,
  chunkSize = 3,
): MemoryPacketStock {
  const upTo = new Map<SaleId, number>()
  const heldBack = new Map<SaleId, Set<number>>()
  const record: MemoryPacketStock = {
    loaded: new Map(),
    chunks: 0,
    chunkSize,
    async count(saleId) {
      const total = totalOf(saleId)
      if (total === undefined) return undefined
      const loaded = upTo.get(saleId) ?? 0
      return {
        total,
        loaded,
        waiting: record.loaded.get(saleId)?.length ?? 0,
        claims: 0,
        heldBack: heldBack.get(saleId)?.size ?? 0,
      }
    },
    async load(saleId, { from, to, packets, held }) {
      record.chunks += 1
      if (totalOf(saleId) === undefined) return { kind: 'unknown-sale' }
      const loaded = upTo.get(saleId) ?? 0
      if (to <= loaded) return { kind: 'repeat', loaded }
      if (from !== loaded) return { kind: 'gap', loaded }
      record.loaded.set(saleId, [...(record.loaded.get(saleId) ?? []), ...packets])
      heldBack.set(saleId, new Set([...(heldBack.get(saleId) ?? []), ...held]))
      upTo.set(saleId, to)
      return { kind: 'loaded', loaded: to }
    },
    async unhold(saleId, { packets }) {
      const held = heldBack.get(saleId)
      const free = packets.filter(({ packet }) => held?.delete(packet))
      const ranked = free.map((packet, at) => ({ ...packet, rank: (held?.size ?? 0) + at + 1 }))
      record.loaded.set(saleId, [...ranked, ...(record.loaded.get(saleId) ?? [])])
      return { kind: 'unheld', packets: free.length, stockRevision: 0 }
    },
  }
  return record
}

/** A seed for each sale, always the same. */
export function memoryPacketSeeds(): PacketSeeds {
  return { of: async (saleId) => new Uint8Array(32).fill(saleId.length) }
}
