/** Splits the budget of a sale of red packets into packets before the first claim (P1). */
import type { RandomInteger } from '../lib/random-integers.ts'

/** Returns the money in all packets of a sale, in minor units. It is fixed once they are loaded. */
export function budgetOf(sale: PacketSale): number {
  return allPackets(sale).totalAmount
}

/** Maximum number of packets of a sale over all windows. More would make warming slow. */
export const maxPackets = 1_000_000

/** Maximum total of the packets of one window, in minor units. */
export const maxPacketAmount = 1_000_000_000_000

/** The packets of one window, or of the whole sale. `totalAmount` is in minor units. */
export type PacketBatch = { count: number; totalAmount: number }

/** The fields that determine a sale's packets. */
export type PacketSale = {
  packets?: PacketBatch | undefined
  windows: readonly { stock: number; totalAmount?: number | undefined }[]
}

/**
 * Splits a batch by the double-mean rule: each packet gets a random amount from 1 to one less than twice the mean of the
 * amount left, and the last one gets the rest. So every packet has at least 1, and the mean on average. Later packets vary
 * more, so all are shuffled at the end (Fisher, Yates), and an amount does not reveal its position.
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

/** Returns the packets of each window in order; an empty list if the sale has no red packets. */
export function packetBatches({ packets, windows }: PacketSale): readonly PacketBatch[] {
  if (packets === undefined) return []
  if (windows.length === 0) return [packets]
  return windows.map(({ stock, totalAmount }) => ({ count: stock, totalAmount: totalAmount ?? 0 }))
}

/** Returns the packets of all windows together. */
export function allPackets(sale: PacketSale): PacketBatch {
  const batches = packetBatches(sale)
  return {
    count: batches.reduce((sum, { count }) => sum + count, 0),
    totalAmount: batches.reduce((sum, { totalAmount }) => sum + totalAmount, 0),
  }
}

/** Returns the packets of the first of unparsed `windows`; undefined if there is none. */
export function packetsOfFirstWindow(windows: unknown): Partial<Record<keyof PacketBatch, unknown>> | undefined {
  const first: unknown = Array.isArray(windows) ? windows[0] : undefined
  if (typeof first !== 'object' || first === null) return undefined
  const given: Record<string, unknown> = { ...first }
  return { count: given.stock, totalAmount: given.totalAmount }
}
