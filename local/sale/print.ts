/** What the command line shows of a sale. */
import { formatMoney } from '../../core/money.ts'
import { parse } from '../../core/parse.ts'
import {
  type AuditEntry,
  type BlockEntry,
  type Findings,
  type LiveNumbers,
  namedBlock,
  type Recovery,
  type Refunded,
  type ShownSale,
} from '../control-client.ts'
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

type Throttle = ShownSale['throttle']['perSale']

export function saleLines(s: ShownSale): string {
  const { perShopper, perIp, perSale } = s.throttle
  const clicks = ({ limit, windowSeconds }: Throttle) => `${limit}/${windowSeconds}`
  const rows = [
    ['sale', s.saleId],
    ['title', s.title],
    ['price', formatMoney({ amount: s.price, currency: s.currency }, 'en')],
    ['stock', `${units(s.stock)}${s.warmed ? '' : ' (not warmed)'}`],
    ['starts', showTime(s.startsAt)],
    ['ends', showTime(s.endsAt)],
    ['flag', `${s.flag} (epoch ${s.epoch}, version ${s.version})`],
    ['gate', `${s.admissionRatio} clicks for each unit, level ${s.minLevel}, challenge ${s.challenge}`],
    ['clicks', `shopper ${clicks(perShopper)}, address ${clicks(perIp)}, sale ${clicks(perSale)}`],
    ...s.slots.map(({ startsAt, endsAt, stock }, i) => [
      'window',
      `${showTime(startsAt)} to ${showTime(endsAt)}, ${stock} ${stock === 1 ? 'unit' : 'units'}${i === s.slot ? ' (present)' : ''}`,
    ]),
  ]
  return rows.map(([name, value]) => `${(name ?? '').padEnd(8)}${value}`).join('\n')
}

export function liveLine(live: LiveNumbers): string {
  const { stock, orders, queue, admissions, dark, inStep, fenced } = live
  const lags = !inStep && !dark.includes('redis')
  const noShelf = dark.includes('redis') ? 'stock unknown' : 'not warmed'
  const shelf = stock === null ? noShelf : `left ${units(stock.available)}, taken ${stock.booked}`
  const waiting = queue === null ? '?' : queue.visible + queue.inFlight + queue.delayed
  return [
    showTime(live.now),
    live.phase,
    shelf,
    `admissions ${admissions === null ? '?' : `${units(admissions.remaining)}, ${admissions.out} out`}`,
    `sold ${orders.sold} in ${orders.orders} orders`,
    `drift ${live.drift ?? '?'}`,
    `outbox ${live.outbox ?? '?'}`,
    `queue ${waiting}`,
    `dead letters ${live.deadLetters ?? '?'}`,
    ...(fenced ? ['fenced: nobody can buy until it is recovered'] : []),
    ...(lags ? ['Redis lags behind: ask for the last action again'] : []),
    ...dark.map((part) => `${part} does not answer`),
  ].join(' · ')
}

export function recoveryLine({ sale, orders, units }: Recovery): string {
  return `${sale.saleId} is rebuilt: ${units} units held by ${orders} orders, epoch ${sale.epoch}`
}

/** What was found, the parts that were as they should be left out. */
export function findingsLines(found: Findings): string {
  const { holds, drift } = found
  const told: [number, string][] = [
    [found.resent, 'messages sent again'],
    [found.waiting, 'messages left in the outbox'],
    [found.givenUp, 'messages given up'],
    [holds?.restored ?? 0, 'orders that had no hold got theirs back'],
    [holds?.released ?? 0, 'holds released that no order has'],
    [holds?.lost ?? 0, 'reservations rejected whose message was lost'],
    [holds?.overdue ?? 0, 'orders cancelled that were not paid in time'],
    [found.released, 'orders gave units back'],
    [Math.max(drift ?? 0, 0), 'units were booked in Redis and not sold'],
    [Math.max(-(drift ?? 0), 0), 'units were sold and not booked in Redis'],
  ]
  const lines = told.filter(([times]) => times > 0).map(([times, what]) => `${times} ${what}`)
  if (found.state === 'repaired') lines.push('Redis was told what it had missed')
  if (found.state === 'to-recover') lines.push('Redis has lost this sale: recover it')
  return lines.length === 0 ? 'all is as it should be' : lines.join('\n')
}

export function refundLine({ orderId, status, refund }: Refunded): string {
  const money = refund === null ? '' : `, ${formatMoney(refund, 'en')} go back`
  return `${orderId} is ${status}${money}`
}

export function blocksTable(entries: BlockEntry[]): string {
  if (entries.length === 0) return 'Nobody is blocked.'
  const rows = entries.map(({ kind, value, who, when }) => [kind, value, who, showTime(when)])
  return columns(['kind', 'value', 'by', 'since'], rows)
}

export function auditTable(entries: AuditEntry[]): string {
  if (entries.length === 0) return 'Nothing was changed that day.'
  const rows = entries.map((e) => [
    typeof e.when === 'number' ? showTime(e.when) : showTime(Date.parse(e.when)),
    e.who,
    e.what,
    e.saleId ?? blockIn(e.after ?? e.before) ?? '-',
    e.requestId,
  ])
  return columns(['when', 'who', 'what', 'about', 'request'], rows)
}

/** Whom an entry of the block list names. */
function blockIn(state: unknown): string | undefined {
  const block = parse(namedBlock, state)
  return block.ok ? block.value.value : undefined
}
