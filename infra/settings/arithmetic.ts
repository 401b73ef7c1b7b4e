/**
 * Calculates the settings of a stage from the sale that it must handle. The settings and the preflight use the same functions,
 * so they agree.
 */
import { commandsPerOrder } from '../../core/stock/placement.ts'

/** The largest expected sale. `openingSeconds` is the duration of the first rush of clicks. */
export type Forecast = { shoppers: number; stock: number; openingSeconds: number }

/** Admissions per unit: some admitted clicks do not become an order (G4, G5). */
const admissionRatio = 1.2

/** Returns the clicks that the gate admits to `reserve` in one epoch; measured: 1.23 calls for each unit. */
export const admissionsOf = ({ stock }: Pick<Forecast, 'stock'>): number => Math.ceil(stock * admissionRatio)

/**
 * Commands that an Upstash database answers per second, in every plan up to 50 GB. Commands inside a script count
 * (https://upstash.com/docs/redis/overall/billing).
 */
export const redisCommandsPerSecond = 10_000

/** Commands of a claimed red packet: unlike an order of goods, it pops the packet from a list. */
export const commandsPerPacket = commandsPerOrder + 1

/**
 * Reservations per second that a stage is planned for. One database takes 2,000 of red packets, but the functions for more than
 * 1,000 would leave the gate too little of an account's concurrency.
 */
export const reservationsPerSecond = Math.min(1000, Math.floor(redisCommandsPerSecond / commandsPerPacket))

/** Returns the concurrency of `perSecond` calls that take `seconds` each. */
export const concurrencyFor = (perSecond: number, seconds: number): number => Math.ceil(perSecond * seconds)

/**
 * Write units of one order: the order and its buyer's total, or whose its red packet is, twice each because they are
 * in a transaction, and its entries in three indexes. Up to 49 orders share the write of the cap.
 */
export const tableWritesPerOrder = 7

/** Throughput of a new on-demand table; its warm throughput is never less. */
export const coldTable = { writesPerSecond: 4000, readsPerSecond: 12_000 } as const

/** Returns the writes per second that empty the queue of a stock in `seconds`, or as fast as a stage sells: at most 5,000. */
export const tableWritesFor = ({ stock }: Pick<Forecast, 'stock'>, seconds: number): number => {
  const orders = Math.min(stock / seconds, reservationsPerSecond)
  return Math.max(coldTable.writesPerSecond, Math.ceil(orders * tableWritesPerOrder))
}

/** The duration of a call, seconds; assumed until measured in the cloud. */
export const runSeconds = {
  /** `reserve` while Redis or the queue is slow. */
  slow: 0.3,
  /** `reserve` in normal operation. */
  warm: 0.05,
  /** One read of an order or a wallet, and one message of the payment provider. */
  read: 0.1,
  /**
   * One held read: it ends when a payment is reported within six seconds, or at once if the order is written. The mean
   * (test/core/orders/order-poll.test.ts).
   */
  held: 0.9,
  /** One transaction of a queue's consumer. */
  transaction: 0.1,
} as const
