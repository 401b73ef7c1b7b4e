/** Reads the tables of a sale, `orders.csv` and `packets.csv`, part by part for the report. */
import { parse } from 'csv-parse/browser/esm/sync'
import { minorAmount } from '../money.ts'
import { type DisputeState, disputeStates, type OrderStatus, orderStatuses } from '../orders/order.ts'
import { reportColumns } from './sale-report.ts'

/**
 * An order without its shopper and refunds. Times are epoch ms, amounts minor units. `endedAt` is when the order first lost
 * its units, or a refund became due.
 */
export type CountedOrder = {
  quantity: number
  variant?: string | undefined
  amount: number
  status: OrderStatus
  /** The status that people see (`shownStatus`). */
  shown: OrderStatus
  reservedAt: number
  paidAt?: number | undefined
  endedAt?: number | undefined
  dispute?: DisputeState | undefined
}

/** `shopperId` is only counted. */
export type OrderRow = CountedOrder & {
  shopperId: string
  refundDue: number
  refundReturned: number
  /** The `utm_source` of the page's URL, empty without one. */
  source: string
}

/** A credited claim of a red packet. */
export type PacketRow = { shopperId: string; amount: number; claimedAt: number }

/** Returns the text of a cell by the name of its column. */
type ReadCell<Column extends string> = (column: Column) => string

const packetColumns = ['shopperId', 'amount', 'currency', 'claimedAt'] as const

/**
 * Characters that are parsed without a break. A part of a table has up to 5 MB, and the page must stay responsive.
 */
const sliceCharacters = 200_000

/** Returns a reader for the parts of `orders.csv`, in order. */
export const orderReader = (add: (row: OrderRow) => void) =>
  tableReader('orders.csv', reportColumns, (cell) => add(orderIn(cell)))

/** Returns a reader for the parts of `packets.csv`, in order. */
export const packetReader = (add: (row: PacketRow) => void) =>
  tableReader('packets.csv', packetColumns, (cell) =>
    add({
      shopperId: cell('shopperId'),
      amount: moneyIn(cell('amount'), cell('currency')),
      claimedAt: timeIn(cell('claimedAt')),
    }),
  )

function orderIn(cell: ReadCell<(typeof reportColumns)[number]>): OrderRow {
  const statusIn = (column: 'status' | 'shown'): OrderStatus => {
    const status = orderStatuses.find((one) => one === cell(column))
    if (status === undefined) throw new RangeError(`orders.csv has an unknown status: ${cell(column)}`)
    return status
  }
  const money = (text: string) => moneyIn(text, cell('currency'))
  return {
    shopperId: cell('shopperId'),
    quantity: integerIn(cell('quantity')),
    variant: cell('variant') || undefined,
    amount: money(cell('amount')),
    status: statusIn('status'),
    shown: statusIn('shown'),
    reservedAt: timeIn(cell('reservedAt')),
    paidAt: optional(cell('paidAt'), timeIn),
    endedAt: optional(cell('endedAt'), timeIn),
    refundDue: optional(cell('refundDue'), money) ?? 0,
    refundReturned: optional(cell('refundReturned'), money) ?? 0,
    dispute: disputeStates.find((one) => one === cell('dispute')),
    source: cell('source'),
  }
}

/**
 * Returns a reader that parses a part slice by slice and yields after each. Only the first part has headings.
 * @throws RangeError for a table that lacks a column, or has a cell that is not what its column says
 */
function tableReader<Column extends string>(
  table: string,
  columns: readonly Column[],
  add: (cell: ReadCell<Column>) => void,
): (part: string) => Generator<void> {
  let headings: readonly string[] | undefined
  let places: ReadonlyMap<Column, number> = new Map()
  const read = (cells: readonly string[]) => {
    if (headings === undefined) {
      headings = cells
      places = placesOf(table, columns, cells)
    } else if (cells.length !== headings.length) throw new RangeError(`${table} has a line of ${cells.length} cells`)
    else add(cellReader(places, cells))
  }
  return function* (part) {
    for (const slice of slicesIn(part.replace(/^\ufeff/, ''))) {
      for (const cells of linesIn(slice)) read(cells)
      yield
    }
  }
}

/** Fast path: without quotes each comma ends a cell, and no parser is needed. */
function linesIn(slice: string): Iterable<readonly string[]> {
  // The parser converts text to bytes much more slowly than the browser.
  if (slice.includes('"')) return parse(new TextEncoder().encode(slice), { relax_column_count: true })
  return slice
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => line.split(','))
}

function cellReader<Column extends string>(
  places: ReadonlyMap<Column, number>,
  cells: readonly string[],
): ReadCell<Column> {
  return (column) => cells[places.get(column) ?? -1] ?? ''
}

function placesOf<Column extends string>(
  table: string,
  columns: readonly Column[],
  headings: readonly string[],
): ReadonlyMap<Column, number> {
  const missing = columns.find((column) => !headings.includes(column))
  if (missing !== undefined) throw new RangeError(`${table} has no column ${missing}`)
  return new Map(columns.map((column) => [column, headings.indexOf(column)]))
}

/** Yields slices of whole lines. A line end within quotes belongs to a cell; quotes come in pairs. */
function* slicesIn(part: string): Generator<string> {
  let from = 0
  while (from < part.length) {
    let to = lineEnd(part, Math.min(part.length, from + sliceCharacters))
    while (to < part.length && !hasPairedQuotes(part, from, to)) to = lineEnd(part, to + 1)
    yield part.slice(from, to)
    from = to
  }
}

/** Returns the position after the line feed of the line at `at`. */
function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at)
  return found === -1 ? text.length : found + 1
}

function hasPairedQuotes(text: string, from: number, to: number): boolean {
  let quotes = 0
  for (let at = text.indexOf('"', from); at !== -1 && at < to; at = text.indexOf('"', at + 1)) quotes += 1
  return quotes % 2 === 0
}

function optional<T>(text: string, read: (text: string) => T): T | undefined {
  return text === '' ? undefined : read(text)
}

function integerIn(text: string): number {
  const value = text === '' ? Number.NaN : Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number: ${text}`)
  return value
}

function moneyIn(text: string, currency: string): number {
  const amount = minorAmount(text, currency)
  if (Number.isNaN(amount)) throw new RangeError(`not an amount of ${currency}: ${text}`)
  return amount
}

function timeIn(text: string): number {
  const value = Date.parse(text)
  if (Number.isNaN(value)) throw new RangeError(`not a time: ${text}`)
  return value
}
