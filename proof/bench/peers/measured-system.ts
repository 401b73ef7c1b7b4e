/** The interface through which the measurement drives Sluice and the other projects. */
import type { Clicks } from '../load/clicks.ts'
import type { ProcessorTime } from '../processor-time.ts'

/** `what` is a sentence without its end, `after 30 s`. */
export type Expiry = { what: string; afterMs: number }

export type MeasuredSystem = {
  name: string
  /** False where orders stay in Redis. */
  writesOrders: boolean
  /** Resumes its programs and puts one unit on sale for each buyer. */
  offer(): Promise<{ buys: Clicks; losing: Clicks }>
  /** The system redelivers or cancels by itself after this time; no order of a round may take longer. */
  expiry?: Expiry
  /** Resolves once all orders of the offer are written. */
  untilWritten(): Promise<void>
  /**
   * Returns the time of the last written order, epoch ms.
   * @throws when one of them is missing in the database
   */
  lastWrittenAt(): Promise<number>
  /** Resolves once losing clicks are answered as for a whole crowd. */
  untilSoldOut(): Promise<void>
  /** Pauses background work until the next offer. */
  pause(): Promise<void>
  /** Cleans up after a failed round, so that it cannot affect a later one. */
  recover(): Promise<void>
  /** True when its programs were restarted and have run no round since: their code is not compiled yet. */
  needsWarmUp(): boolean
  processorTime(): Promise<ProcessorTime>
}

/**
 * Connections of the load, and losing clicks for each order of a round. The fastest system takes half a second for
 * them.
 */
export const [connections, losingClicksPerOrder] = [64, 12]

/** Timeout for the clicks and for the writing of orders, ms: ten times the time on a busy machine. */
export const partTimeoutMs = 120_000
