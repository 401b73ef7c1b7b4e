/**
 * Units as Redis counts them: `total` of a stock and how many are `booked`. An unlimited stock has more units
 * than can be sold, so scripts have no case for it.
 */
import { integer } from '../reply.ts'

/** The units of an unlimited stock. Lua and JSON keep every integer near it exact. */
const unlimitedUnits = 1_000_000_000_000

/** A sale's stock, -1 for an unlimited one, as Redis stores it. */
export function storedUnits(stock: number): number {
  return stock === -1 ? unlimitedUnits : stock
}

/** The reverse of `unitsOf`. */
export function stockOf(units: number): number {
  return units === unlimitedUnits ? -1 : units
}

/** What shoppers see of `left`: -1 for an unlimited stock. Counters that were tampered with must not look like one. */
export function remainingOf(left: number): number {
  return left > unlimitedUnits / 2 ? -1 : Math.max(0, left)
}

/** `total` is -1 for an unlimited stock; `booked` are the units that are taken or held back. */
export type StockCounters = { total: number; booked: number; stockRevision: number }

/** The counters that a script replied: total, booked, stockRevision. @throws UnexpectedReply */
export function countersIn([total, booked, stockRevision]: readonly unknown[]): StockCounters {
  return {
    total: stockOf(integer(total, 'total')),
    booked: integer(booked, 'booked'),
    stockRevision: integer(stockRevision, 'stockRevision'),
  }
}
