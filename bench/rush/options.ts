/** What a rush is asked to be. */

import type { StartStep } from '../../cli/progress.ts'
import type { Fault } from '../../local/faults.ts'

/** What is asked of the crowd, whatever the sale hands out. */
export type CrowdOptions = {
  shoppers: number
  concurrency: number
  seed: number
  /** How long a shopper asks again. */
  patienceMs: number
  /** How long orders or credits may take afterwards: longer than the queue hides a message whose receiver went away. */
  settleMs: number
  fault: Fault | undefined
  startStep: StartStep
}

/** A sale that people order from. */
export type RushOptions = CrowdOptions & {
  kind: 'goods' | 'coupon'
  stock: number
  quantity: number
  limitPerShopper: number
}

/** A sale of so many red packets, which hold `totalAmount` together, in minor units. */
export type PacketRushOptions = CrowdOptions & { packets: number; totalAmount: number }
