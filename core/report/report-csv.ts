/** Writes the report of a sale as CSV with the columns `section,name,value,unit`. */
import { type Cell, csvText } from '../lib/csv-line.ts'
import { majorText } from '../money.ts'
import type { SaleReport } from './sale-report.ts'

type ReportRow = readonly [section: string, name: string, value: Cell, unit: string]

/**
 * Returns one figure per row, with the same names in every language. Omits unknown figures. Times are ISO 8601 in UTC,
 * amounts have a decimal point, durations are in seconds.
 */
export function reportCsv(report: SaleReport): string {
  const rows = [
    ...saleRows(report),
    ...unitRows(report),
    ...paymentRows(report),
    ...packetRows(report),
    ...demandRows(report),
    ...statusRows(report),
    ...sourceRows(report),
    ...variantRows(report),
    ...paceRows(report),
  ].filter(([, , value]) => value !== undefined)
  return csvText([['section', 'name', 'value', 'unit'], ...rows])
}

const timeText = (ms: number) => new Date(ms).toISOString()
const secondsIn = (ms: number | null) => (ms === null ? undefined : ms / 1000)

function saleRows({ sale, phase, madeAt, pending }: SaleReport): ReportRow[] {
  return [
    ['sale', 'saleId', sale.saleId, ''],
    ['sale', 'title', sale.title, ''],
    ['sale', 'kind', sale.kind, ''],
    ['sale', 'phase', phase, ''],
    ['sale', 'madeAt', timeText(madeAt), 'time'],
    ['sale', 'pending', pending, 'reservations'],
  ]
}

function unitRows({ units, shoppers, orders, statuses, coupons }: SaleReport): ReportRow[] {
  return [
    ['units', 'offered', units.offered ?? undefined, 'units'],
    ['units', 'sold', units.sold, 'units'],
    ['units', 'left', units.left ?? undefined, 'units'],
    ['units', 'void', coupons?.void, 'units'],
    ['units', 'redeemed', coupons?.redeemed ?? undefined, 'units'],
    ['shoppers', 'withUnits', shoppers, 'shoppers'],
    // Red packets have no orders.
    ['shoppers', 'orders', statuses.length === 0 ? undefined : orders, 'orders'],
  ]
}

function paymentRows({ payments, sale: { currency } }: SaleReport): ReportRow[] {
  if (payments === null) return []
  const { payable, paid, medianMs, p95Ms } = payments
  const sums = ['revenue', 'disputed', 'refundDue', 'refundReturned'] as const
  return [
    ['payments', 'payable', payable, 'orders'],
    ['payments', 'paid', paid, 'orders'],
    ...sums.map((name): ReportRow => ['payments', name, majorText(payments[name], currency), currency]),
    ['payments', 'medianTime', secondsIn(medianMs), 's'],
    ['payments', 'p95Time', secondsIn(p95Ms), 's'],
  ]
}

function packetRows({ packets, sale: { currency } }: SaleReport): ReportRow[] {
  if (packets === null) return []
  const names = ['budget', 'claimed', 'returned', 'smallest', 'median', 'largest'] as const
  return names.map((name) => {
    const amount = packets[name]
    return ['packets', name, amount === null ? undefined : majorText(amount, currency), currency]
  })
}

function demandRows({ demand }: SaleReport): ReportRow[] {
  if (demand === null) return []
  return [
    ['demand', 'asked', demand.asked, 'requests'],
    ['demand', 'won', demand.won, 'requests'],
    ...demand.refused.map(({ reason, count }): ReportRow => ['refused', reason, count, 'requests']),
  ]
}

function statusRows({ statuses, payments, sale: { currency } }: SaleReport): ReportRow[] {
  return statuses.flatMap(({ status, orders, units, amount }): ReportRow[] => [
    [`status ${status}`, 'orders', orders, 'orders'],
    [`status ${status}`, 'units', units, 'units'],
    [`status ${status}`, 'amount', payments === null ? undefined : majorText(amount, currency), currency],
  ])
}

function sourceRows({ sources }: SaleReport): ReportRow[] {
  return sources.flatMap(({ source, orders, units }): ReportRow[] => [
    [`source ${source}`, 'orders', orders, 'orders'],
    [`source ${source}`, 'units', units, 'units'],
  ])
}

function variantRows({ variants }: SaleReport): ReportRow[] {
  return variants.flatMap(({ id, name, offered, sold, left }): ReportRow[] => [
    [`variant ${id}`, 'name', name, ''],
    [`variant ${id}`, 'offered', offered ?? undefined, 'units'],
    [`variant ${id}`, 'sold', sold, 'units'],
    [`variant ${id}`, 'left', left ?? undefined, 'units'],
  ])
}

/** Returns a row for each bar: the second in which it begins, and its units. */
function paceRows({ pace }: SaleReport): ReportRow[] {
  const windows = pace.windows.flatMap((window, index): ReportRow[] => {
    const section = `round ${index + 1}`
    const { bars } = window
    const series = bars?.units.map((units, bar): ReportRow => {
      const from = (bar * bars.widthMs) / 1000
      return [`${section} series`, `from ${from} s`, units, `units per ${bars.widthMs / 1000} s`]
    })
    return [
      [section, 'opensAt', timeText(window.opensAt), 'time'],
      [section, 'endsAt', timeText(window.endsAt), 'time'],
      [section, 'plannedEnd', window.plannedEnd && timeText(window.plannedEnd), 'time'],
      [section, 'available', window.available ?? undefined, 'units'],
      [section, 'reserved', window.taken, 'units'],
      [section, 'sold', window.sold, 'units'],
      [section, 'firstUnit', secondsIn(window.firstMs), 's'],
      [section, 'half', secondsIn(window.halfMs), 's'],
      [section, 'soldOut', secondsIn(window.soldOutMs), 's'],
      ...(series ?? []),
      [`${section} series`, 'later', bars?.later, 'units'],
    ]
  })
  return [['pace', 'peakPerSecond', pace.peakPerSecond, 'units'], ...windows]
}
