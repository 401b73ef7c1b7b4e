/** Red packets: a total amount, in whole minor units, is split into packets before the first claim (P1). */
import type { RandomInteger } from '../lib/random-integers.ts'

/** Returns the money in all packets of a sale, in minor units. It cannot change once they are loaded. */
export function budgetOf(sale: PacketSale): number {
  return allPackets(sale).totalAmount
}

/** Packets of one sale in all its windows, limited so that a marketer need not wait long for warming. */
export const maxPackets = 1_000_000

/** The most money in the packets of one window together, in minor units. */
export const maxPacketAmount = 1_000_000_000_000

/** The packets of one window, or of the whole sale. `totalAmount` is in minor units. */
export type PacketBatch = { count: number; totalAmount: number }

/** The fields from which a sale's packets follow. */
export type PacketSale = {
  packets?: PacketBatch | undefined
  windows: readonly { stock: number; totalAmount?: number | undefined }[]
}

/**
 * Splits a wave by the double-mean rule: each packet gets from 1 up to one less than twice the mean
 * of what is left, and the last one the rest. Every packet gets at least 1, none more than twice
 * that mean, and each the mean on average. Later packets vary more, so all are shuffled at the end
 * (Fisher, Yates): an amount then says nothing about its position.
 * @throws RangeError when there is less than 1 for each
 */
export function splitPackets({ count, totalAmount }: PacketBatch, randomInteger: RandomInteger): Float64Array {
  if (count > totalAmount) throw new RangeError(`${totalAmount} cannot be split into ${count} packets`)
  const amounts = new Float64Array(count)
  let left = totalAmount
  for (let at = 0; at < count - 1; at += 1) {
    const maxExtra = Math.floor((2 * left) / (count - at)) - 1
    const amount = 1 + randomInteger(maxExtra)
    amounts[at] = amount
    left -= amount
  }
  if (count > 0) amounts[count - 1] = left
  for (let at = count - 1; at > 0; at -= 1) {
    const other = randomInteger(at + 1)
    const amount = amounts[at] ?? 0
    amounts[at] = amounts[other] ?? 0
    amounts[other] = amount
  }
  return amounts
}

/** Returns the waves of a sale in the order in which they come; none for a sale of something else. */
export function packetBatches({ packets, windows }: PacketSale): readonly PacketBatch[] {
  if (packets === undefined) return []
  if (windows.length === 0) return [packets]
  return windows.map(({ stock, totalAmount }) => ({ count: stock, totalAmount: totalAmount ?? 0 }))
}

/** Returns all packets of a sale, and all that they hold. */
export function allPackets(sale: PacketSale): PacketBatch {
  const batches = packetBatches(sale)
  return {
    count: batches.reduce((sum, { count }) => sum + count, 0),
    totalAmount: batches.reduce((sum, { totalAmount }) => sum + totalAmount, 0),
  }
}

/** Returns the first wave of unparsed `windows`; undefined where they do not name one. */
export function packetsOfFirstWindow(windows: unknown): Partial<Record<keyof PacketBatch, unknown>> | undefined {
  const first: unknown = Array.isArray(windows) ? windows[0] : undefined
  if (typeof first !== 'object' || first === null) return undefined
  const given: Record<string, unknown> = { ...first }
  return { count: given.stock, totalAmount: given.totalAmount }
}
