import type { StartStep } from '../../cli/progress.ts'
import type { Fault } from '../../local/faults/faults.ts'
import type { RushProduct } from './open-sale.ts'

/** Fairness modes of the engine: first come, or random turns in the first seconds. Options add further modes. */
export const builtInModes = ['first-come', 'spread'] as const

export type RushOptions = RushProduct & {
  shoppers: number
  /** All shoppers belong to the same shard. */
  oneShard?: boolean
  concurrency: number
  seed: number
  /** How long a shopper retries. */
  patienceMs: number
  /** Time limit for orders or credits after the rush: longer than the visibility timeout of the queue. */
  settleMs: number
  fault?: Fault | undefined
  /** A database that is lost for good at the start of the sale, which is then recovered. */
  kill?: string | undefined
  /** Runs after the mode's steps before the start. */
  meanwhile?: () => Promise<void>
  /** All winners of goods cancel their orders after the verdict. */
  cancels?: boolean
  startStep: StartStep
}
