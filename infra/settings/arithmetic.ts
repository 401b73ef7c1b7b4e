/**
 * From the sale that a stage must bear to the numbers it is given. The settings and the preflight reckon with the same
 * functions, so neither can promise what the other has not provided.
 */
import { fullGroup } from '../../functions/packets/credit.ts'

/** The largest sale that is expected. `openingSeconds` is how long the first rush of clicks lasts. */
export type Forecast = { shoppers: number; stock: number; openingSeconds: number }

/** More are let through than there are units, for some of them will not come to an order (G4, G5). */
export const admissionRatio = 1.2

/** Clicks that the gate lets through to `reserve` in one opening; measured: 1.23 calls for each unit. */
export const admissionsOf = ({ stock }: Pick<Forecast, 'stock'>): number => Math.ceil(stock * admissionRatio)

/**
 * What an Upstash database answers in a second, whatever its plan up to 50 GB. Commands inside a script are reckoned as if
 * they counted (https://upstash.com/docs/redis/overall/billing).
 */
export const redisCommandsPerSecond = 10_000

/** An accepted `reserve.lua` makes so many, its own call and what the gate is told of it included. */
export const redisCommandsPerReservation = 10

/** As many reservations as Redis takes in a second. */
export const reservationsPerSecond = Math.floor(redisCommandsPerSecond / redisCommandsPerReservation)

/** Environments that are busy at once when `perSecond` calls of `seconds` each come in. */
export const concurrencyFor = (perSecond: number, seconds: number): number => Math.ceil(perSecond * seconds)

/**
 * Written for one order: the order and its buyer's total, twice each because they are in a transaction, and its entry in the
 * list. The cap is shared by up to 49 of them.
 */
export const tableWritesPerOrder = 5

/** What a new table on demand takes in a second before it has learnt more; its warm throughput is never less. */
export const coldTable = { writesPerSecond: 4000, readsPerSecond: 12_000 } as const

/** Writes a second that empty the queue of a whole stock within `seconds`, or as fast as Redis can fill it: 5,000 at most. */
export const tableWritesFor = ({ stock }: Pick<Forecast, 'stock'>, seconds: number): number => {
  const orders = Math.min(stock / seconds, reservationsPerSecond)
  return Math.max(coldTable.writesPerSecond, Math.ceil(orders * tableWritesPerOrder))
}

/**
 * Written for one red packet: the credit, the balance and the packet, and its share of the cap, which is written once for a
 * transaction; twice each. Few claims at a time make it more: up to 2 for one alone.
 */
export const tableWritesPerClaim = 2 * (3 + 1 / fullGroup)

/** How long a run of a function lasts, seconds; assumed until somebody has measured it in the cloud. */
export const runSeconds = {
  /** `reserve` or `claim` while Redis or the queue is slow. */
  slow: 0.3,
  /** The same when all is well. */
  warm: 0.05,
  /** One read of an order or a wallet, and one message of the payment provider. */
  read: 0.1,
  /** One transaction of a queue's consumer. */
  transaction: 0.1,
} as const
