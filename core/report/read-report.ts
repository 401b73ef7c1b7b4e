/**
 * Makes the report of a sale from its live numbers and its table. It prefetches the next part of the table while it
 * processes one, and keeps only sums and times, so memory does not grow with the rows.
 */
import type { Live } from '../api/control-answers.ts'
import { type OrderQuarter, orderQuarters } from '../ids.ts'
import { holdsUnits, orderStatuses } from '../orders/order.ts'
import { moneyState } from '../orders/order-standing.ts'
import { allPackets } from '../packets/packets.ts'
import type { Sale } from '../sale/sale.ts'
import { paceOf, quantileOf, totalUnits, type UnitReservation } from './pace.ts'
import { type OrderRow, orderReader, type PacketRow, packetReader } from './rows.ts'
import type {
  CouponFigures,
  PacketFigures,
  PaymentFigures,
  SaleReport,
  SourceFigures,
  UnitFigures,
} from './sale-report.ts'

/** Returns the table that the report reads. Coupons are counted by their orders, so no code is read. */
export const reportTable = ({ kind }: Live['sale']): 'orders' | 'packets' =>
  kind === 'red-packet' ? 'packets' : 'orders'

/** Names the part of a table after `after`; an empty text names the first part. */
export type TablePartQuery = { after: string; columns?: 'report'; quarter?: OrderQuarter }

/** The text of a part, and the `after` of the next part, null after the last. */
export type TablePart = { text: string; next: string | null }

export type ReportSource = {
  live: Live
  /** Reads a part; called concurrently for several quarters. Undefined aborts the report. */
  part(query: TablePartQuery): Promise<TablePart | undefined>
  /** Called after each slice of a part with the number of rows so far. Reading resumes when it resolves. */
  progress(rows: number): Promise<void>
}

/** From this number of orders on, the quarters are read concurrently. Fewer orders fit into one part. */
const manyOrders = 10_000

/**
 * Reads the table and returns the report; undefined if a part is missing.
 * @throws RangeError when the table is not what this version reads
 */
export async function readReport({ live, part, progress }: ReportSource): Promise<SaleReport | undefined> {
  const sums = emptySums()
  let rows = 0
  const counted =
    <Row>(add: (sums: ReportSums, row: Row) => void) =>
    (row: Row) => {
      rows += 1
      add(sums, row)
    }

  /** Resolves with false if a part is missing. */
  async function readAll(read: ReturnType<typeof orderReader>, query: Omit<TablePartQuery, 'after'>) {
    let nextPart: ReturnType<typeof part> | undefined = part({ after: '', ...query })
    while (nextPart !== undefined) {
      const found: Awaited<typeof nextPart> = await nextPart
      if (found === undefined) return false
      nextPart = found.next === null ? undefined : part({ after: found.next, ...query })
      // If this part is readable, awaiting the next one reports the failure.
      nextPart?.catch(() => undefined)
      for (const _ of read(found.text)) await progress(rows)
    }
    return true
  }

  const readOrders = (query: Pick<TablePartQuery, 'quarter'>) =>
    readAll(orderReader(counted(addOrder)), { ...query, columns: 'report' })
  const read =
    reportTable(live.sale) === 'packets'
      ? [readAll(packetReader(counted(addPacket)), {})]
      : live.orders.orders < manyOrders
        ? [readOrders({})]
        : orderQuarters.map((quarter) => readOrders({ quarter }))
  const isComplete = (await Promise.all(read)).every((each) => each)
  return isComplete ? reportOf(sums, live) : undefined
}

type ReportSums = Omit<PaymentFigures, 'medianMs' | 'p95Ms'> & {
  reservations: UnitReservation[]
  shoppers: Set<string>
  keptOrders: number
  statuses: Map<OrderRow['status'], { orders: number; units: number; amount: number }>
  variants: Map<string, number>
  sources: Map<string, { orders: number; units: number }>
  paidAfterMs: number[]
  amounts: number[]
}

const emptySums = (): ReportSums => ({
  ...{ reservations: [], shoppers: new Set(), keptOrders: 0, statuses: new Map(), variants: new Map() },
  sources: new Map(),
  ...{ payable: 0, paid: 0, paidAfterMs: [], amounts: [] },
  ...{ revenue: 0, disputed: 0, refundDue: 0, refundReturned: 0 },
})

function addPacket(sums: ReportSums, { shopperId, amount, claimedAt }: PacketRow): void {
  sums.reservations.push({ at: claimedAt, units: 1, isKept: true })
  sums.shoppers.add(shopperId)
  sums.keptOrders += 1
  sums.amounts.push(amount)
}

function addOrder(sums: ReportSums, row: OrderRow): void {
  const { status, shown, quantity, amount, reservedAt, endedAt } = row
  const figures = sums.statuses.get(shown) ?? { orders: 0, units: 0, amount: 0 }
  figures.orders += 1
  figures.units += quantity
  figures.amount += amount
  sums.statuses.set(shown, figures)
  addPayment(sums, row)
  // The reservation never became an order.
  if (status === 'rejected') return
  const isKept = holdsUnits(status)
  sums.reservations.push({ at: reservedAt, units: quantity, returnedAt: isKept ? undefined : endedAt, isKept })
  if (!isKept) return
  sums.keptOrders += 1
  sums.shoppers.add(row.shopperId)
  addSource(sums.sources, row.source || '(none)', 1, quantity)
  if (row.variant !== undefined) sums.variants.set(row.variant, (sums.variants.get(row.variant) ?? 0) + quantity)
}

/** Maximum number of sources in a report, because shoppers can invent sources. */
const maxSources = 20

function addSource(sources: ReportSums['sources'], source: string, orders: number, units: number): void {
  const before = sources.get(source) ?? { orders: 0, units: 0 }
  sources.set(source, { orders: before.orders + orders, units: before.units + units })
}

function sourceFigures(sources: ReportSums['sources']): SourceFigures[] {
  if (sources.size === 0 || (sources.size === 1 && sources.has('(none)'))) return []
  const all = [...sources].sort(([a, one], [b, other]) => other.orders - one.orders || (a < b ? -1 : 1))
  const shown = new Map(all.slice(0, maxSources))
  for (const [, { orders, units }] of all.slice(maxSources)) addSource(shown, '(other)', orders, units)
  return [...shown].map(([source, figures]) => ({ source, ...figures }))
}

function addPayment(sums: ReportSums, row: OrderRow): void {
  const { status, amount, reservedAt, paidAt } = row
  sums.refundDue += row.refundDue
  sums.refundReturned += row.refundReturned
  if (amount > 0 && status !== 'rejected') sums.payable += 1
  const money = moneyState(row)
  if (money === 'disputed') sums.disputed += amount
  if (money !== 'paid') return
  sums.paid += 1
  sums.revenue += amount
  if (paidAt !== undefined) sums.paidAfterMs.push(paidAt - reservedAt)
}

function reportOf(sums: ReportSums, live: Live): SaleReport {
  const { sale, phase, now, outbox } = live
  const sold = totalUnits(sums.reservations.filter(({ isKept }) => isKept))
  return {
    ...{ sale, phase, madeAt: now, pending: outbox ?? 0 },
    units: unitFigures(sale.stock, sold),
    shoppers: sums.shoppers.size,
    orders: sums.keptOrders,
    statuses: orderStatuses.flatMap((status) => {
      const figures = sums.statuses.get(status)
      return figures === undefined ? [] : [{ status, ...figures }]
    }),
    sources: sourceFigures(sums.sources),
    variants: (sale.variants ?? []).map(({ id, name, stock }) => ({
      ...{ id, name },
      ...unitFigures(stock, sums.variants.get(id) ?? 0),
    })),
    pace: paceOf(sale, sums.reservations, now, live.soldOut),
    payments: paymentFigures(sums, sale),
    packets: packetFigures(sums, live),
    coupons: couponFigures(sums, live),
    demand: live.demand,
  }
}

/** More units may be sold than offered if the marketer has removed some. */
function unitFigures(stock: number, sold: number): UnitFigures {
  return stock === -1 ? { offered: null, sold, left: null } : { offered: stock, sold, left: Math.max(0, stock - sold) }
}

function paymentFigures(sums: ReportSums, { kind, price }: Sale): PaymentFigures | null {
  if (kind !== 'goods' || (price === 0 && sums.payable === 0)) return null
  const { payable, paid, revenue, disputed, refundDue, refundReturned } = sums
  const times = Float64Array.from(sums.paidAfterMs).sort()
  return {
    ...{ payable, paid, revenue, disputed, refundDue, refundReturned },
    ...{ medianMs: quantileOf(times, 0.5), p95Ms: quantileOf(times, 0.95) },
  }
}

/** Uses the budget of the sale if the table has no totals before the first claim. */
function packetFigures({ amounts }: ReportSums, { sale, money }: Live): PacketFigures | null {
  if (sale.kind !== 'red-packet') return null
  const sorted = Float64Array.from(amounts).sort()
  return {
    budget: money?.budget ?? allPackets(sale).totalAmount,
    claimed: sorted.reduce((sum, amount) => sum + amount, 0),
    returned: money?.returned ?? null,
    smallest: sorted.at(0) ?? null,
    median: quantileOf(sorted, 0.5),
    largest: sorted.at(-1) ?? null,
  }
}

function couponFigures({ reservations }: ReportSums, { sale, redeemed }: Live): CouponFigures | null {
  if (sale.kind !== 'coupon') return null
  return { void: totalUnits(reservations.filter(({ isKept }) => !isKept)), redeemed }
}
