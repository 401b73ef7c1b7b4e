/** The options of a rush. */
import type { StartStep } from '../../cli/progress.ts'
import type { Fault } from '../../local/faults/faults.ts'

/** How units are given away: to the first clicks, or to clicks at random instants of the first seconds. Options add modes. */
export const ownModes = ['first-come', 'spread'] as const

/** Options of every kind of sale. */
export type CrowdOptions = {
  shoppers: number
  /** The databases that the stock is split over. */
  shards: number
  /** All shoppers have the same home shard. */
  oneShard: boolean
  concurrency: number
  seed: number
  /** How long a shopper retries. */
  patienceMs: number
  /**
   * How long orders or credits may take afterwards: longer than the visibility timeout of the
   * queue.
   */
  settleMs: number
  fault: Fault | undefined
  /** A database that is lost for good at the start of the sale, and the sale then recovered. */
  kill: string | undefined
  /** With it the shoppers differ (shopper.ts). Absent: first come, and all shoppers are alike. */
  mode?: string
  /** Runs between what a mode does before the start, and the start. */
  meanwhile?: () => Promise<void>
  startStep: StartStep
}

/** A sale of goods or coupons. */
export type RushOptions = CrowdOptions & {
  kind: 'goods' | 'coupon'
  stock: number
  quantity: number
  limitPerShopper: number
  /** The variants that the stock is divided among; absent: none. */
  variants?: number
  /** Whether all winners of goods cancel their orders once the sale is judged. */
  cancels?: boolean
}

/** A sale of `packets` red packets, `totalAmount` together, in minor units. */
export type PacketRushOptions = CrowdOptions & { packets: number; totalAmount: number }
