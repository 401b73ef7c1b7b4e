/** What the command line shows of a sale. */
import { formatMoney } from '../../core/money.ts'
import type { AuditEntry, LiveNumbers, ShownSale } from '../control-client.ts'
import { showTime } from './time.ts'

/** Rows as text in aligned columns, under a line of headings. */
export function columns(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((r) => r[i]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(headings), ...rows.map(line)].join('\n')
}

const units = (stock: number) => (stock === -1 ? 'unlimited' : String(stock))

export function salesTable(sales: ShownSale[]): string {
  if (sales.length === 0) return 'There are no sales yet.'
  const rows = sales.map((s) => [
    s.saleId,
    s.flag,
    showTime(s.startsAt),
    showTime(s.endsAt),
    units(s.stock),
    formatMoney({ amount: s.price, currency: s.currency }, 'en'),
    s.title,
  ])
  return columns(['sale', 'flag', 'starts', 'ends', 'stock', 'price', 'title'], rows)
}

export function saleLines(s: ShownSale): string {
  const rows = [
    ['sale', s.saleId],
    ['title', s.title],
    ['price', formatMoney({ amount: s.price, currency: s.currency }, 'en')],
    ['stock', `${units(s.stock)}${s.warmed ? '' : ' (not warmed)'}`],
    ['starts', showTime(s.startsAt)],
    ['ends', showTime(s.endsAt)],
    ['flag', `${s.flag} (epoch ${s.epoch}, version ${s.version})`],
  ]
  return rows.map(([name, value]) => `${(name ?? '').padEnd(8)}${value}`).join('\n')
}

export function liveLine(live: LiveNumbers): string {
  const { stock, queue, dark, inStep } = live
  const lags = !inStep && !dark.includes('redis')
  const noShelf = dark.includes('redis') ? 'stock unknown' : 'not warmed'
  const shelf = stock === null ? noShelf : `left ${units(stock.available)}, taken ${stock.booked}`
  const waiting = queue === null ? '?' : queue.visible + queue.inFlight + queue.delayed
  return [
    showTime(live.now),
    live.phase,
    shelf,
    `orders ${live.orders.sold}`,
    `outbox ${live.outbox ?? '?'}`,
    `queue ${waiting}`,
    `dead letters ${live.deadLetters ?? '?'}`,
    ...(lags ? ['Redis lags behind: ask for the last action again'] : []),
    ...dark.map((part) => `${part} does not answer`),
  ].join(' · ')
}

export function auditTable(entries: AuditEntry[]): string {
  if (entries.length === 0) return 'Nothing was changed that day.'
  const rows = entries.map((e) => [
    typeof e.when === 'number' ? showTime(e.when) : showTime(Date.parse(e.when)),
    e.who,
    e.what,
    e.saleId,
    e.requestId,
  ])
  return columns(['when', 'who', 'what', 'sale', 'request'], rows)
}
