/**
 * The report of a sale with 100,000 orders, of which six in seven are paid: the functions make its table, and the code of
 * the console reads and adds it up, here in Node. The reads of DynamoDB and the network are not in it.
 */
import { orderIdLetters, parseOrderId, parseSaleId, parseShopperId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import { orderReader } from '../../core/report/rows.ts'
import { reportTally } from '../../core/report/tally.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type CsvTable, csvPart } from '../../functions/control/csv.ts'
import { reportedOrdersTable } from '../../functions/control/tables.ts'
import {
  type ReportedOrder,
  readReportLine,
  reportedOrder,
  reportLine,
} from '../../functions/table/orders/reported-order.ts'
import { atMost, inTurns, type Measurement } from './harness.ts'
import { made } from './open-window.ts'
import { manyOrders } from './sales/many-orders.ts'
import { median, spelled } from './statistics.ts'

/** A report must not take longer. */
export const mostReportSeconds = 3

/** A day that had no change of the clocks. */
const sale = { saleId: made(parseSaleId('mug')), startsAt: Date.UTC(2026, 10, 20, 11) }

/** An order, and the line of it that the index of orders shows. */
type StoredOrder = { order: Order; line: string }
type Taken = { bytes: number; parts: number; madeMs: number; addedMs: number }

function reportedIn({ order: { orderId }, line }: StoredOrder): ReportedOrder {
  const reported = readReportLine(orderId, line)
  if (reported === undefined) throw new Error(`the line of ${orderId} is not read`)
  return reported
}

const ofReport: CsvTable<StoredOrder> = {
  headings: reportedOrdersTable.headings,
  linesOf: (stored) => reportedOrdersTable.linesOf(reportedIn(stored)),
  cursorOf: ({ order }) => order.orderId,
}

const lanes: CsvTable<StoredOrder>[] = [ofReport]

export async function measureReport(): Promise<Measurement> {
  const rows = Array.from({ length: manyOrders }, (_, number) => {
    const order = numberedOrder(sale, number)
    return { order, line: reportLine(reportedOrder(order)) }
  })
  const played = await inTurns(lanes, { rounds: 3, step: 'report' }, (table) => play(table, rows))
  const value = (of: (one: Taken) => number) => lanes.map((lane) => median((played.get(lane) ?? []).map(of)))
  const seconds = (of: (one: Taken) => number) => value(of).map((ms) => (ms / 1000).toFixed(2))
  const added = value(({ addedMs }) => addedMs / 1000)
  return {
    name: 'report',
    heads: ['orders.csv for a report'],
    lines: [
      atMost('read and added up, s', added.at(-1) ?? Number.NaN, mostReportSeconds, {
        value: seconds(({ addedMs }) => addedMs),
      }),
      { what: 'lines made by the functions, s', value: seconds(({ madeMs }) => madeMs) },
      { what: 'parts', value: value(({ parts }) => parts).map(spelled) },
      { what: 'bytes', value: value(({ bytes }) => bytes).map(spelled) },
    ],
  }
}

async function play(table: CsvTable<StoredOrder>, rows: readonly StoredOrder[]): Promise<Taken> {
  const parts: string[] = []
  const startedAt = performance.now()
  for (let from = 0; from < rows.length; ) {
    const { text, next } = await csvPart(table, pagesOf(rows.slice(from)), from === 0)
    parts.push(text)
    from = next === undefined ? rows.length : rows.findIndex(({ order }) => order.orderId === next) + 1
  }
  const madeAt = performance.now()
  const read = orderReader(reportTally().addOrder)
  for (const part of parts) for (const _ of read(part));
  const addedMs = performance.now() - madeAt
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  return { bytes, parts: parts.length, madeMs: madeAt - startedAt, addedMs }
}

async function* pagesOf(rows: readonly StoredOrder[]): AsyncGenerator<readonly StoredOrder[]> {
  yield rows
}

/** An order of a sale that has one each millisecond: every seventh one is cancelled, the others are paid. */
export function numberedOrder({ saleId, startsAt }: Pick<Sale, 'saleId' | 'startsAt'>, number: number): Order {
  const digits = [...number.toString(32).padStart(26, '0')].map((digit) => orderIdLetters[Number.parseInt(digit, 32)])
  const isPaid = number % 7 !== 0
  const reservedAt = startsAt + number
  const paidAt = reservedAt + 60_000 + number
  const status = isPaid ? 'paid' : 'cancelled'
  return {
    orderId: made(parseOrderId(`${saleId}-${digits.join('')}`)),
    saleId,
    shopperId: made(parseShopperId(`shopper-${number}`)),
    ...{ quantity: 1, amount: 7900, currency: 'EUR', status, reservedAt, writtenAt: reservedAt + 400 },
    ...{ payBy: reservedAt + 900_000, cancelAt: reservedAt + 960_000 },
    ...(isPaid && {
      payment: { paymentId: `pay-${number}`, attempt: 1, startedAt: reservedAt, state: 'succeeded' },
    }),
    history: [
      { at: reservedAt, what: 'reserved', status: 'reserved' },
      { at: reservedAt + 400, what: 'written', status: 'awaiting-payment' },
      isPaid
        ? { at: paidAt, what: 'payment-succeeded', status }
        : { at: reservedAt + 960_000, what: 'expired', status },
    ],
  }
}
