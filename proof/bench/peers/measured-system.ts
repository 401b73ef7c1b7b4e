/**
 * A system of the comparison, Sluice or another project, as the measurement drives it: what its load is asked, and what
 * it answers.
 */
import type { Clicks } from '../load/clicks.ts'
import type { ProcessorTime } from '../processor-time.ts'

/** `what` is a sentence that `after 30 s` ends. */
export type Expiry = { what: string; afterMs: number }

export type MeasuredSystem = {
  name: string
  /** False where orders stay in Redis. */
  writesOrders: boolean
  /** Lets its programs work, and offers a unit to each of the buyers. */
  offer(): Promise<{ buys: Clicks; losing: Clicks }>
  /** What the system repeats or ends by itself so long after a click; no order of a round may take longer. */
  expiry?: Expiry
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
  /** After a round that failed: leaves nothing of it that could work in a later round. */
  recover(): Promise<void>
  /** Whether its programs have played no round since they were started again: their code is not compiled yet. */
  isYoung(): boolean
  processorTime(): Promise<ProcessorTime>
}

/** Connections of the load, and losing clicks for each order of a round: the fastest system needs half a second for them. */
export const [connections, losersPerOrder] = [64, 12]

/** Until all clicks were answered, and until all orders are in the database, ms: ten times what a busy machine took. */
export const partWithinMs = 120_000
