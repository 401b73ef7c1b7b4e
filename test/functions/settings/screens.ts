/** Finds screens, files and commands that show other numbers of a sale than the orders in the table. */
import { parse } from 'csv-parse/sync'
import { liveLines, salesTable } from '../../../cli/sale/print.ts'
import { numbersShown, tilesOf } from '../../../console/sale/numbers.ts'
import { controlApi, type Live } from '../../../core/api/control-answers.ts'
import { nextHeader, type Operation, readAnswer } from '../../../core/api/operation.ts'
import { formatMoney } from '../../../core/money.ts'
import { holdsUnits, type Order } from '../../../core/orders/order.ts'
import { moneyState, shownStatus } from '../../../core/orders/order-standing.ts'
import { readReport, reportTable, type TablePartQuery } from '../../../core/report/read-report.ts'
import { orderReader } from '../../../core/report/rows.ts'
import type { SaleReport } from '../../../core/report/sale-report.ts'
import { noPace, sellOut, updatePace } from '../../../core/sale/live-pace.ts'
import { samplesIn } from '../../../core/sale/series.ts'
import { phone } from '../../world/stock-record.ts'
import type { World } from '../../world/world.ts'
import { comparison, type Same, sum, type Won } from './differences.ts'

async function answerOf<O extends Operation>(own: World, operation: O, path: string) {
  const read = readAnswer(operation, (await own.ask('GET', path)).body)
  if (!read.ok) throw new Error(`the answer of ${path} lacks ${read.field}`)
  return read.value
}

/** A part of the sale's table, with all columns unless the query says otherwise. */
async function partOf(own: World, { sale }: Live, query: TablePartQuery) {
  const path = `/sales/${phone}/${reportTable(sale)}.csv?${new URLSearchParams(query)}`
  const { headers, body } = await own.ask('GET', path)
  return { text: String(body), next: headers[nextHeader] ?? null }
}

/** The report as the console makes it. */
export async function reportOf(own: World, change: Partial<Live> = {}): Promise<SaleReport> {
  const live = { ...(await answerOf(own, controlApi.getLive, `/sales/${phone}/live`)), ...change }
  const part = (query: TablePartQuery) => partOf(own, live, query)
  const report = await readReport({ live, part, progress: async () => {} })
  if (report === undefined) throw new Error('every part was there')
  return report
}

/** Sums the orders of a sale. Money is in minor units. */
type Counted = Record<'sold' | 'orders' | 'paid' | 'disputed' | 'revenue' | 'disputedAmount' | 'refunded', number>

type CountedOrder = Parameters<typeof moneyState>[0] &
  Pick<Order, 'quantity'> & { refunds?: readonly { returned: number }[] }

const amountOf = (orders: readonly CountedOrder[]) => sum(orders.map(({ amount }) => amount))

function countedIn(orders: readonly CountedOrder[]): Counted {
  const kept = orders.filter(({ status }) => holdsUnits(status))
  const { paid = [], disputed = [] } = Object.groupBy(orders, (one) => moneyState(one) ?? 'nothing')
  return {
    ...{ sold: sum(kept.map(({ quantity }) => quantity)), orders: kept.length },
    ...{ paid: paid.length, revenue: amountOf(paid) },
    ...{ disputed: disputed.length, disputedAmount: amountOf(disputed) },
    refunded: sum(orders.flatMap(({ refunds = [] }) => refunds.map(({ returned }) => returned))),
  }
}

/** The money of the live numbers in the same form. */
function moneyIn({ paid }: Live) {
  if (paid === null) return null
  const { orders, disputed, amount: revenue, disputedAmount, refunded } = paid
  return { orders, disputed, revenue, disputedAmount, refunded }
}

/** The live numbers of the sale, and its numbers in the list, which also archived sales have. */
export async function liveAndList(own: World) {
  const live = await answerOf(own, controlApi.getLive, `/sales/${phone}/live`)
  const isArchived = live.sale.archivedAt !== undefined
  const list = await answerOf(own, controlApi.listSales, `/sales?numbers=true&archived=${isArchived}`)
  return { live, numbers: list.numbers?.[phone] }
}

type Listed = Awaited<ReturnType<typeof liveAndList>>['numbers']

/** The numbers in the console's list of sales, each as text. */
export function rowShown(sale: Live['sale'], row: Listed): string[] {
  const voice = { t: String, locale: () => 'en', money: (minor: number) => String(minor) }
  return numbersShown(voice, sale, row).map(([, value]) => value)
}

/** The cells of the sale that the command “list” prints. */
export const cellsOfCommand = (own: World, sale: Live['sale'], row: Listed): string[] =>
  salesTable([sale], own.clock.now, row && { [phone]: row })
    .split('\n')[1]
    ?.split(/ {2,}/) ?? []

/** The sale's table, part by part. */
export async function allParts(
  own: World,
  live: Live,
  read: (text: string) => Iterable<void>,
  columns: Pick<TablePartQuery, 'columns'> = {},
): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const { text, next }: Awaited<ReturnType<typeof partOf>> = await partOf(own, live, { after, ...columns })
    for (const _ of read(text));
    after = next
  }
}

/** The rows of `orders.csv`, each by the names of its columns. */
export async function orderCells(own: World): Promise<Record<string, string>[]> {
  const { live } = await liveAndList(own)
  let whole = ''
  await allParts(own, live, (text) => {
    whole += text
    return []
  })
  return parse(whole, { columns: true, bom: true })
}

export async function seriesDifferences(
  own: World,
  { sale, demand }: Live,
  [sold, left]: readonly [sold: number, left: number],
  same: Same,
): Promise<void> {
  const series = await answerOf(own, controlApi.getSeries, `/sales/${phone}/series`)
  const last = samplesIn(series.minutes).at(-1)
  // A sale without an end may end before units come back.
  if (sale.stock !== -1) same('series', [last?.taken, last?.left], [sold, left])
  if (sale.archivedAt === undefined) same('series: clicks that won', last?.won, demand?.won)
}

type Seen = { live: Live; report: SaleReport; left: number; hasLost: boolean }

export async function soldOutDifferences(own: World, { live, report, left, hasLost }: Seen, same: Same): Promise<void> {
  const rounds = report.pace.windows.map(({ soldOutMs }) => soldOutMs)
  // Units that a loss returned, and orders that a recovery finds, sell out at a time that the rows alone do not show.
  const byRows = hasLost
    ? rounds
    : (await reportOf(own, { soldOut: [] })).pace.windows.map(({ soldOutMs }) => soldOutMs)
  same('report: time to sold out', rounds, byRows)
  same('live: time to sold out', live.soldOut, byRows)
  const seen = sellOut(updatePace(noPace, { ...live, phase: 'sold-out' }), live)
  if (live.sale.archivedAt === undefined && left === 0)
    same('live: time to sold out', seen, { kind: 'sold-out', afterMs: byRows[live.sale.windowIndex] })
}

/** Empty when all agree. For a sale of goods or coupons at rest, whose units all went if they have an end; `hasLost`: Redis lost some of it. */
export async function screenDifferences(own: World, won: readonly Won[], hasLost: boolean): Promise<string[]> {
  const { found, same } = comparison()
  const { live, numbers: row } = await liveAndList(own)
  const { sale } = live
  const isArchived = sale.archivedAt !== undefined
  const ids = won.flatMap(({ orderId }) => orderId ?? [])
  const written = [...(await own.table.findMany(ids)).values()]
  const counted = countedIn(written.map((one) => ({ ...one, shown: shownStatus(one), dispute: one.dispute?.state })))
  const { sold, orders, paid, disputed, revenue, disputedAmount, refunded } = counted
  const left = sale.stock === -1 ? -1 : sale.stock - sold

  same('live: units', live.orders, { sold, orders })
  if (sale.kind === 'goods')
    same('live: money', moneyIn(live), { orders: paid, disputed, revenue, disputedAmount, refunded })
  if (!isArchived) same('live: left', live.stock?.available, left)

  same('list', [row?.sold, row?.left], [sold, left])
  if (sale.kind === 'goods') same('list: money', [row?.paid, row?.revenue], [paid, revenue])

  const tiles = tilesOf(live)
  same('tiles', [tiles.sold, tiles.orders], [sold, orders])
  if (sale.kind === 'goods') same('tiles: money', [tiles.paidOrders, tiles.revenue], [paid, revenue])
  const shown = rowShown(sale, row)
  same('row of the list', shown[0], sold.toLocaleString('en'))
  if (sale.kind === 'goods') same('row of the list: revenue', shown[2], String(revenue))

  const report = await reportOf(own)
  same('report', [report.units.sold, report.orders], [sold, orders])
  if (report.payments !== null) {
    const { paid: of, revenue: amount, disputed: contested, refundReturned } = report.payments
    same('report: money', [of, amount, contested, refundReturned], [paid, revenue, disputedAmount, refunded])
  }
  await soldOutDifferences(own, { live, report, left, hasLost }, same)

  const rows: CountedOrder[] = []
  const read = orderReader(({ refundReturned, ...one }) => {
    rows.push({ ...one, refunds: [{ returned: refundReturned }] })
  })
  await allParts(own, live, read, { columns: 'report' })
  same('orders.csv', countedIn(rows), counted)

  const line = liveLines(live)
  same('command “live”: units', line.includes(` · sold ${sold} in ${orders} orders · `), true)
  const paidText = `${paid} paid for ${formatMoney({ amount: revenue, currency: sale.currency }, 'en')}`
  if (sale.kind === 'goods') same('command “live”: money', line.includes(` · ${paidText} · `), true)
  const cells = cellsOfCommand(own, sale, row)
  same('command “list”', cells.includes(String(sold)) && (left === -1 || cells.includes(String(left))), true)

  await seriesDifferences(own, live, [sold, left], same)
  return found
}
