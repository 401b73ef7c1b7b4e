/** Orders of tests, as the tables of a sale have them: the writers of the shop make the lines. */
import type { Live } from '../../../core/api/control-answers.ts'
import type { OrderQuarter } from '../../../core/ids.ts'
import type { Order, OrderStatus } from '../../../core/orders/order.ts'
import { readReport } from '../../../core/report/read-report.ts'
import type { SaleReport } from '../../../core/report/sale-report.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { type CsvTable, csvPart } from '../../../functions/control/csv.ts'
import { packetsTable, reportedOrdersTable } from '../../../functions/control/tables.ts'
import { orderKey, orderParts } from '../../../functions/table/keys.ts'
import { type ReportedOrder, reportedOrder } from '../../../functions/table/orders/reported-order.ts'
import { orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { aLive } from '../api/live-answer.ts'

/** `paidAt` and `endedAt` are epoch ms; the amount is the price of its units, unless given. */
export type Made = Partial<Pick<Order, 'variant' | 'source' | 'refunds' | 'amount' | 'dispute'>> & {
  shopper: number
  order?: number
  quantity?: number
  status: OrderStatus
  at: number
  paidAt?: number
  endedAt?: number
}

/** An order with the history that led to its status. */
export function orderOf(sale: Sale, made: Made): Order {
  const { shopper, order = 1, quantity = 1, status, at, paidAt, endedAt, ...rest } = made
  const first = sale.price === 0 ? 'fulfilled' : 'awaiting-payment'
  const steps: [at: number | undefined, what: string, status: OrderStatus][] = [
    [at, 'reserved', 'reserved'],
    [at + 100, 'written', first],
    [paidAt, 'payment-succeeded', 'paid'],
    [endedAt, 'ended', status === 'refunded' ? 'refund-due' : status],
  ]
  return {
    ...{ orderId: orderIdOf(sale.saleId, shopper, order), saleId: sale.saleId },
    ...{ shopperId: shopperIdOf(shopper), quantity, amount: quantity * sale.price, currency: sale.currency },
    ...{ status, reservedAt: at, writtenAt: at + 100, payBy: at + 900_000, cancelAt: at + 900_000 },
    history: steps.flatMap(([time, what, then]) => (time === undefined ? [] : [{ at: time, what, status: then }])),
    ...rest,
  }
}

/** A sale that is over, with nothing on its way. */
export const liveOf = (sale: Sale, change: Partial<Live> = {}): Live => ({
  ...aLive,
  ...{ sale, phase: 'ended', demand: null, outbox: 0, now: sale.endsAt + 1000 },
  ...change,
})

/** The report of these orders, of a table in parts of so many rows. */
export function reportOfOrders(live: Live, orders: readonly Order[], rowsOfPart = 1000): Promise<SaleReport> {
  const reported: Rows<ReportedOrder> = (quarter) => rowsOf(orders)(quarter).map(reportedOrder)
  return reportOfRows(live, reportedOrdersTable, reported, rowsOfPart)
}

type Rows<Row> = (quarter: OrderQuarter | undefined) => readonly Row[]

const rowsOf =
  (orders: readonly Order[]): Rows<Order> =>
  (quarter) =>
    orders.filter(({ orderId, saleId }) => orderParts(saleId, quarter).includes(orderKey(orderId).pk))

/** The report of red packets: shopper number `n` has the `n`th, each credited in the next second. */
export function reportOfPackets(live: Live, packets: readonly { amount: number; at: number }[]): Promise<SaleReport> {
  const { sale } = live
  const orders = packets.map(({ amount, at }, number) => ({
    ...orderOf(sale, { shopper: number + 1, status: 'fulfilled', at, amount: 0 }),
    ...{ packet: { number, amount, currency: sale.currency }, writtenAt: at + 1000 },
  }))
  return reportOfRows(live, packetsTable, () => orders, 1000)
}

async function reportOfRows<Row>(
  live: Live,
  table: CsvTable<Row>,
  rowsIn: Rows<Row>,
  rowsOfPart: number,
): Promise<SaleReport> {
  const report = await readReport({
    live,
    async part({ after, quarter }) {
      const rows = rowsIn(quarter)
      const from = Number(after)
      const page = rows.slice(from, from + rowsOfPart)
      const { text } = await csvPart(table, pagesOf(page), from === 0)
      return { text, next: from + rowsOfPart < rows.length ? String(from + rowsOfPart) : null }
    },
    progress: async () => {},
  })
  if (report === undefined) throw new Error('every part was there')
  return report
}

async function* pagesOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}
