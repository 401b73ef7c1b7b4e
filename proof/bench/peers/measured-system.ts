/** A system of the comparison, as the measurement drives it: Sluice, or another project. */
import type { Stack } from '../../../local/stack.ts'
import type { ProcessorTime } from '../processor-time.ts'
import type { Clicks } from './clicks.ts'

export type MeasuredSystem = {
  name: string
  /** Parts of `processorTime` that are the project's own code and no store, queue or emulation. */
  ownParts: readonly string[]
  /** False where orders stay in Redis. */
  writesOrders: boolean
  /** Lets its programs work, and offers a unit to each of the buyers. */
  offer(): Promise<{ buys: Clicks; losing: Clicks }>
  /** Resolves once nothing of the offer waits to be written. */
  untilWritten(): Promise<void>
  /**
   * When the last order of the offer was written, epoch ms.
   * @throws when one of them is missing in the database
   */
  lastWrittenAt(): Promise<number>
  /** Resolves once a losing click is answered as a whole crowd would be. */
  untilSoldOut(): Promise<void>
  /** Stops what works without requests, until the next offer. */
  rest(): Promise<void>
  processorTime(): Promise<ProcessorTime>
  /** Divides the time of processes that run deployed code and emulation, where the system has them. */
  sampleWork?: Stack['sampleWork']
}
