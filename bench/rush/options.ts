/** What a rush is asked to be. */
import type { Fault } from '../../local/faults.ts'
import type { StartStep } from '../progress.ts'

export type RushOptions = {
  shoppers: number
  stock: number
  quantity: number
  limitPerShopper: number
  concurrency: number
  seed: number
  /** How long a shopper asks again. */
  patienceMs: number
  /** How long orders may take afterwards: longer than the queue hides a message whose receiver went away. */
  settleMs: number
  fault: Fault | undefined
  startStep: StartStep
}
