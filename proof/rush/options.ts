import type { StartStep } from '../../cli/progress.ts'
import type { Fault } from '../../local/faults/faults.ts'

/** Fairness modes of the engine: first come, or random turns in the first seconds. Options add further modes. */
export const builtInModes = ['first-come', 'spread'] as const

/** Options of every kind of sale. */
export type CrowdOptions = {
  shoppers: number
  /** The databases that the stock is split over. */
  shards: number
  /** All shoppers belong to the same shard. */
  oneShard: boolean
  concurrency: number
  seed: number
  /** How long a shopper retries. */
  patienceMs: number
  /** Time limit for orders or credits after the rush: longer than the visibility timeout of the queue. */
  settleMs: number
  fault: Fault | undefined
  /** A database that is lost for good at the start of the sale, which is then recovered. */
  kill: string | undefined
  /** The fairness mode; shoppers get different traits (shopper.ts). Default: first come, and all shoppers are alike. */
  mode?: string
  /** Runs after the mode's steps before the start. */
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
  /** All winners of goods cancel their orders after the verdict. */
  cancels?: boolean
}

/** A sale of `packets` red packets, `totalAmount` together, in minor units. */
export type PacketRushOptions = CrowdOptions & { packets: number; totalAmount: number }
