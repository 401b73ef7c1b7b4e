/** Output of `npm run sale`. */
import {
  type AuditRow,
  type BlockEntry,
  controlApi,
  type DatabaseList,
  type Findings,
  type FoundOrder,
  type FoundOrders,
  type Live,
  type Recovery,
  type Refunded,
  type SaleNumbers,
  type SalesPage,
} from '../../core/api/control-answers.ts'
import type { PlacedOrderResult } from '../../core/api/placed-order.ts'
import { admitPerSecondOf } from '../../core/gate/admission-rate.ts'
import { ownValue } from '../../core/lib/own-value.ts'
import { parse } from '../../core/lib/parse.ts'
import { counted } from '../../core/lib/text.ts'
import { formatMoney } from '../../core/money.ts'
import { spacedNumber } from '../../core/orders/order-number.ts'
import { failedRefunds, refundTotal } from '../../core/orders/order-refunds.ts'
import { shownStatus } from '../../core/orders/order-standing.ts'
import { isRefused, type LineResult } from '../../core/orders/shipment-file.ts'
import { allPackets } from '../../core/packets/packets.ts'
import { noPace, type Pace, roughTime, roundEstimate, sellOut, waitingShoppers } from '../../core/sale/live-pace.ts'
import { phaseAt } from '../../core/sale/phase.ts'
import { readiness } from '../../core/sale/readiness.ts'
import { countriesOf, type Sale } from '../../core/sale/sale.ts'
import type { VariantUnits } from '../../core/sale/variants.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import { consoleMessages, durationMessages } from '../../templates/messages/catalogues.ts'
import { durationText } from '../../templates/messages/duration-text.ts'
import { words } from '../../templates/messages/text.ts'
import { showTime } from './time.ts'

/** Prints rows in aligned columns, under a line of headings. */
export function columns(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((r) => r[i]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(headings), ...rows.map(line)].join('\n')
}

export function placedLine({ code, field, orderId, quantity }: PlacedOrderResult): string {
  if (orderId === null) return field === undefined ? code : `${code}: ${field}`
  return `${orderId} ${code}, ${counted(quantity, 'unit')}`
}

type ImportedShipments = { lines: readonly LineResult[]; ignored: readonly string[] }

/**
 * Prints each line that cannot be imported, and counts the others by their results. `ignored` are unknown columns.
 */
export function shippedTable({ lines, ignored }: ImportedShipments): string {
  const refused = lines.filter(isRefused)
  const rows = refused.map((one) => [
    String(one.line),
    one.orderId,
    'column' in one ? words(consoleMessages[`ship.${one.code}`], 'en', one) : one.code,
  ])
  const counts = Map.groupBy(lines, ({ code }) => code)
  return [
    ...(ignored.length === 0 ? [] : [`ignored columns: ${ignored.join(', ')}`]),
    ...(refused.length === 0 ? [] : [columns(['LINE', 'ORDER', 'RESULT'], rows)]),
    Array.from(counts, ([code, some]) => `${some.length} ${code}`).join(', '),
  ].join('\n')
}

/**
 * Prints one line for each sale under its database, and one for a database without a sale. The load is the number of
 * commands that its sales need in one second, as a share of its capacity.
 */
export function placementTable({ databases }: DatabaseList): string {
  const rows = databases.flatMap(({ name, commandsPerSecond, share, sales }) => {
    const load = share > 10 ? 'over 1000 %' : `${Math.round(100 * share)} %`
    const database = [name, String(commandsPerSecond), load]
    if (sales.length === 0) return [[...database, '-', '', '', '']]
    return sales.map(({ sale, isBig }, at) => [
      ...(at === 0 ? database : ['', '', '']),
      ...[sale.saleId, offeredText(sale), isBig ? 'big' : '', showTime(sale.startsAt, sale.timeZone)],
    ])
  })
  return columns(['DATABASE', 'COMMANDS/S', 'LOAD', 'SALE', 'UNITS', '', 'STARTS'], rows)
}

const units = (stock: number) => (stock === -1 ? 'unlimited' : String(stock))

const money = (amount: number, { currency }: Pick<Sale, 'currency'>) => formatMoney({ amount, currency }, 'en')

/** Returns the price of one unit; for red packets their total amount. */
function price(sale: Sale): string {
  if (sale.kind === 'red-packet') return `${money(allPackets(sale).totalAmount, sale)} in total`
  return sale.price === 0 ? 'free' : money(sale.price, sale)
}

/** Returns the units of the sale, or its red packets of all windows, as in the console. */
const offeredText = (sale: Sale) =>
  sale.kind === 'red-packet' ? counted(allPackets(sale).count, 'packet') : units(sale.stock)

/** Returns the phase by flag and clock, without the stock; `live` shows whether units are left. */
const phaseText = (sale: Sale, now: number) =>
  sale.archivedAt === undefined ? phaseAt({ ...sale, hasNext: nextWindow(sale) !== undefined }, now, -1) : 'archived'

const archivedText = ({ archivedAt }: Sale) => (archivedAt === undefined ? '' : ` ${showTime(archivedAt)}`)

/** Says how the sale opens; undefined once it has. */
function startText(sale: Sale, now: number): string | undefined {
  const { state, startsAt } = readiness(sale, now)
  switch (state) {
    case 'needs-start':
      return 'Needs your start'
    case 'needs-start-soon':
      return `Needs your start: it begins at ${showTime(startsAt, sale.timeZone)}`
    case 'overdue':
      return `Needs your start: it should have opened at ${showTime(startsAt, sale.timeZone)}`
    case 'scheduled':
      return `Opens automatically at ${showTime(startsAt, sale.timeZone)}`
    default:
      return undefined
  }
}

/** Prints one line for each sale. `now` is epoch ms. An unknown value is a question mark, and one that does not apply is a dash. */
export function salesTable(
  sales: readonly Sale[],
  now: number,
  numbers: NonNullable<SalesPage['numbers']> = {},
): string {
  if (sales.length === 0) return 'No sales yet.'
  const rows = sales.map((s) => [
    s.saleId,
    s.kind,
    s.flag,
    phaseText(s, now),
    startText(s, now) ?? '-',
    showTime(s.startsAt, s.timeZone),
    showTime(s.endsAt, s.timeZone),
    offeredText(s),
    ...numberCells(s, numbers[s.saleId]),
    price(s),
    s.title,
  ])
  const counts = ['stock', 'sold', 'left', 'revenue']
  return columns(['sale', 'kind', 'flag', 'phase', 'opening', 'starts', 'ends', ...counts, 'price', 'title'], rows)
}

function numberCells(sale: Sale, numbers: SaleNumbers | undefined): string[] {
  if (numbers === undefined) return ['?', '?', '?']
  const { sold, left, revenue } = numbers
  return [String(sold), left === null ? '?' : units(left), revenue === null ? '-' : money(revenue, sale)]
}

type Throttle = Sale['throttle']['perIp']

/** Returns the end and, for a sale that was ended by hand, also the planned end. */
function endText({ endedAt = Number.POSITIVE_INFINITY, endsAt, timeZone }: Sale): string {
  const [ended, planned] = [Math.min(endedAt, endsAt), endsAt].map((time) => showTime(time, timeZone))
  return endedAt < endsAt ? `${ended} (planned for ${planned})` : `${planned}`
}

/** Prints one sale, a field in each line. `now` is epoch ms. */
export function saleLines(s: Sale, now: number): string {
  const { perShopper, perIp } = s.throttle
  const clicks = ({ limit, windowSeconds }: Throttle) => `${limit}/${windowSeconds}`
  const opening = startText(s, now)
  const rows = [
    ['sale', s.saleId],
    ['kind', s.kind],
    ['title', s.title],
    ['price', price(s)],
    ['stock', `${offeredText(s)}${s.warmed ? '' : ' (not published)'}`],
    ...(s.variants ?? []).map(({ id, name, stock: own }) => ['variant', `${id}  ${name}, ${units(own)}`]),
    ...(s.shards === 1 ? [] : [['shards', shardsText(s)]]),
    ['phase', phaseText(s, now) + archivedText(s)],
    ...(opening === undefined ? [] : [['opening', opening]]),
    ['starts', showTime(s.startsAt, s.timeZone)],
    ['ends', endText(s)],
    ['flag', `${s.flag} (epoch ${s.epoch}, version ${s.version})`],
    ['gate', `${counted(s.admissionRatio, 'click')} per unit, minimum level ${s.minLevel}, bot check ${s.challenge}`],
    ...(s.earlyAccess === undefined ? [] : [['early', earlyText(s.earlyAccess)]]),
    ['limits', `${admitPerSecondOf(s)} clicks/s, shopper ${clicks(perShopper)}, IP ${clicks(perIp)}`],
    ...s.windows.map((saleWindow, i) => [
      'round',
      `${windowText(saleWindow, s)}${i === s.windowIndex ? ' (current)' : ''}`,
    ]),
    ...(countriesOf(s).length === 0 ? [] : [['sent to', countriesOf(s).join(', ')]]),
    ...(s.allowedOrigins?.length ? [['origins', s.allowedOrigins.join(', ')]] : []),
    ...(s.coupons === undefined ? [] : [['valid', validityText(s.coupons, s.timeZone)]]),
  ]
  return rows.map(([name, value]) => `${(name ?? '').padEnd(8)}${value}`).join('\n')
}

const earlyText = ({ minutes, minLevel }: NonNullable<Sale['earlyAccess']>) =>
  `${minutes} min for members of level ${minLevel} and above`

/** Returns the number of databases that share the stock, and their names once it is published. */
const shardsText = ({ shards, databases }: Sale) =>
  databases.length === 0 ? String(shards) : `${shards} (${databases.join(', ')})`

function windowText(
  { startsAt, endsAt, stock, totalAmount, units: ofVariants }: Sale['windows'][number],
  sale: Sale,
): string {
  const what = counted(stock, totalAmount === undefined ? 'unit' : 'packet')
  const holds = totalAmount === undefined ? '' : ` with ${money(totalAmount, sale)}`
  const variants = ofVariants === undefined ? '' : ` (${textOfUnits(ofVariants)})`
  const [from, to] = [startsAt, endsAt].map((time) => showTime(time, sale.timeZone))
  return `${from} to ${to}, ${what}${holds}${variants}`
}

function validityText({ validFrom, validUntil }: NonNullable<Sale['coupons']>, zone: Sale['timeZone']): string {
  const from = validFrom === undefined ? 'from the start' : `from ${showTime(validFrom, zone)}`
  return `${from}, ${validUntil === undefined ? 'no end' : `until ${showTime(validUntil, zone)}`}`
}

/** Returns the amounts of a sale of red packets. */
function moneyText({ money: amounts, sale }: Live): string {
  if (amounts === null) return 'money ?'
  const { budget, claimed, left, returned } = amounts
  const rest = returned === null ? `${money(left, sale)} left` : `${money(returned, sale)} returned`
  return `${money(claimed, sale)} of ${money(budget, sale)} credited, ${rest}`
}

/**
 * Prints the live numbers in one line with the estimates that `pace` allows, and below a table of the variants, or of the
 * databases of a split stock.
 */
export function liveLines(live: Live, pace: Pace = noPace): string {
  const lines = [[liveLine(live), ...estimates(live, pace)].join(' · ')]
  if (live.variants !== undefined) lines.push(variantTable(live.sale, live.variants))
  if (live.split !== null) lines.push(shardTable(live.split))
  return lines.join('\n')
}

function formatDuration(ms: number): string {
  return durationText((key, args) => words(durationMessages[key], 'en', args), ms)
}

/** Returns how many shoppers wait and when the sale will be sold out. Unknown estimates are left out. */
function estimates(live: Live, pace: Pace): string[] {
  const waiting = waitingShoppers(pace, live)
  const over = sellOut(pace, live)
  const time = (ms: number) => {
    const { n, unit } = roughTime(ms)
    return `${n} ${{ seconds: 's', minutes: 'min', hours: 'h' }[unit]}`
  }
  return [
    ...(waiting === null ? [] : [`${waiting.atLeast ? 'at least' : 'about'} ${roundEstimate(waiting.count)} waiting`]),
    ...(over?.kind === 'expected' ? [`sold out in about ${time(over.inMs)}`] : []),
    ...(over?.kind === 'not-before-end' ? ['not sold out before the end at this rate'] : []),
    ...(over?.kind === 'sold-out' && over.afterMs !== null ? [`sold out after ${formatDuration(over.afterMs)}`] : []),
  ]
}

function variantTable({ variants = [] }: Sale, counters: NonNullable<Live['variants']>): string {
  const rows = variants.map(({ id, name }) => {
    const { total, booked, left } = ownValue(counters, id) ?? {}
    return [id, name, ...[total, booked, left].map((count) => String(count ?? '?'))]
  })
  return columns(['VARIANT', 'NAME', 'TOTAL', 'RESERVED', 'LEFT'], rows)
}

const shardStates = {
  selling: 'working',
  frozen: 'being rebuilt',
  missing: 'data lost',
  unreachable: 'not responding',
} as const

/** Prints one line for each shard, and one for the units that are not allocated yet. */
function shardTable({ pool, shards }: NonNullable<Live['split']>): string {
  const rows = shards.map(({ database, state, granted, booked, left }) => [
    ...[database, shardStates[state], String(granted)],
    ...[String(booked ?? '?'), String(left ?? '?')],
  ])
  const headings = ['DATABASE', 'STATUS', 'ALLOCATED', 'RESERVED', 'LEFT']
  return columns(headings, [...rows, ['(none)', 'not allocated yet', String(pool), '', '']])
}

function liveLine(live: Live): string {
  const { stock, orders, queue, unavailable, inStep, frozen } = live
  const isPackets = live.sale.kind === 'red-packet'
  const lags = !inStep && !unavailable.includes('redis')
  const all = isPackets ? `, ${offeredText(live.sale)} in total` : ''
  const left =
    stock === null ? missingStockText(live) : `${units(stock.available)} left, ${stock.booked} reserved${all}`
  const waiting = queue === null ? '?' : queue.visible + queue.inFlight + queue.delayed
  return [
    showTime(live.now),
    live.phase,
    left,
    `admissions: ${admissionsText(live)}`,
    ...(isPackets
      ? [`${counted(orders.sold, 'red packet')} credited`, moneyText(live)]
      : [`sold ${orders.sold} in ${counted(orders.orders, 'order')}`, ...paidTexts(live)]),
    `drift ${live.drift ?? '?'}`,
    `outbox ${live.outbox ?? '?'}`,
    `queue ${waiting}`,
    `dead letters ${live.deadLetters ?? '?'}`,
    ...(frozen ? ['being rebuilt: sells nothing until that is done'] : []),
    ...(lags ? ['Redis is behind: repeat the last command'] : []),
    ...unavailable.map((part) => `${part} isn’t responding`),
  ].join(' · ')
}

/** Returns the amounts of goods, or the number of redeemed coupons. */
function paidTexts({ paid, redeemed, sale }: Live): string[] {
  if (redeemed !== null) return [`${redeemed} redeemed`]
  if (paid === null) return []
  return [
    `${paid.orders} paid for ${money(paid.amount, sale)}`,
    ...(paid.disputed === 0 ? [] : [`${paid.disputed} disputed for ${money(paid.disputedAmount, sale)}`]),
    ...(paid.refunded === 0 ? [] : [`${money(paid.refunded, sale)} refunded`]),
  ]
}

/** Returns the admissions that are left, and the current rate beside the configured one. */
function admissionsText({ admissions, sale }: Live): string {
  if (admissions === null) return '?'
  const { remaining, out, rate } = admissions
  return `${units(remaining)} left, ${out} pending, ${rate ?? '?'}/${admitPerSecondOf(sale)} per second`
}

/** Says why the stock is unknown. */
function missingStockText({ sale, unavailable }: Live): string {
  if (sale.archivedAt !== undefined) return 'archived'
  return unavailable.includes('redis') ? 'stock unknown' : 'not published'
}

export function recoveryLine({ sale, orders, units, heldBack, movedShards }: Recovery): string {
  const rebuilt = `${sale.saleId} is rebuilt: ${counted(units, 'unit')} held by ${counted(orders, 'order')}, epoch ${sale.epoch}`
  const held = heldBack === 0 ? '' : `; ${heldBack} more are held back for orders that may still arrive`
  const moves = movedShards.map(({ shard, from, to }) => `shard ${shard + 1} moved from ${from} to ${to}`)
  return [`${rebuilt}${held}`, ...moves].join('\n')
}

/** Prints differences and repairs; zero counts are left out. */
export function findingsLines(found: Findings): string {
  const { holds, drift } = found
  const counts: [number, string, string][] = [
    [found.resent, 'message', 'sent again'],
    [found.waiting, 'order', 'accepted, and not in the table yet'],
    [found.givenUp, 'message', 'given up'],
    [holds?.restored ?? 0, 'order', 'whose reservation was restored'],
    [holds?.released ?? 0, 'reservation', 'without an order released'],
    [holds?.lost ?? 0, 'order', 'sent again because its message was lost'],
    [holds?.overdue ?? 0, 'unpaid order', 'cancelled'],
    [found.released, 'order', 'whose units went back on sale'],
    [Math.max(drift ?? 0, 0), 'unit', 'reserved in Redis without an order'],
    [Math.max(-(drift ?? 0), 0), 'unit', 'ordered but not reserved in Redis'],
  ]
  const lines = counts
    .filter(([times]) => times > 0)
    .map(([times, what, result]) => `${counted(times, what)} ${result}`)
  if (found.state === 'repaired') lines.push('Redis was updated')
  if (found.state === 'to-recover') lines.push('Redis has lost this sale: run “recover”')
  return lines.length === 0 ? 'everything is in order' : lines.join('\n')
}

export function refundLine({ orderId, status, refund }: Refunded): string {
  const money = refund === null ? '' : `; ${formatMoney(refund, 'en')} refunded`
  return `${orderId} is now ${status}${money}`
}

/** Prints each order with its payments and history, and how to see the next page. */
export function foundOrders({ orders, next }: FoundOrders): string {
  const more = next === null ? [] : [`older orders: --after ${next}`]
  return orders.length === 0 && next === null ? 'No orders.' : [...orders.map(orderLines), ...more].join('\n\n')
}

const disputes: Readonly<Record<NonNullable<FoundOrder['dispute']>['state'], string>> = {
  open: 'open; do not send the order and do not refund it',
  won: 'won; the money stays',
  lost: 'lost; the bank has given the money back to the shopper',
}

function orderLines(order: FoundOrder): string {
  const { orderId, orderNumber, shopperId, quantity, variant, amount, currency } = order
  const status = [...new Set([shownStatus(order), order.status])].join(', ')
  const { payment, refunds, shipment, dispute, history } = order
  const money = (minor: number) => formatMoney({ amount: minor, currency }, 'en')
  return [
    [...(orderNumber === undefined ? [] : [spacedNumber(orderNumber)]), orderId, status].join('  '),
    `  shopper ${shopperId}, ${quantity}${variant === undefined ? '' : ` × ${variant}`} for ${money(amount)}`,
    ...(payment === null ? [] : [`  payment ${payment.paymentId} ${payment.state}`]),
    ...refunds.map(
      (one) => `  refund of ${one.paymentId}: ${money(one.returned)} of ${money(refundTotal(one))} returned`,
    ),
    ...failedRefunds({ refunds }).map(
      ({ paymentId, failedAt = 0 }) =>
        `  the bank returned the refund of ${paymentId} at ${showTime(failedAt)}: pay the shopper by another way, ` +
        `then run: npm run sale -- settle-refund ${order.orderId}`,
    ),
    ...(dispute === undefined ? [] : [`  dispute of ${dispute.paymentId}: ${disputes[dispute.state]}`]),
    ...(shipment === undefined ? [] : [`  sent by ${shipment.carrier} ${shipment.tracking ?? ''}`.trimEnd()]),
    ...history.map(({ at, what, status: then }) => `  ${showTime(at)}  ${what} (${then})`),
  ].join('\n')
}

export function blocksTable(entries: readonly BlockEntry[]): string {
  if (entries.length === 0) return 'The blocklist is empty.'
  const rows = entries.map(({ kind, value, who, when, until, reason = '-' }) => [
    ...[kind, value, who, showTime(when), until === undefined ? '-' : showTime(until), reason],
  ])
  return columns(['kind', 'value', 'by', 'since', 'until', 'reason'], rows)
}

export function auditTable(entries: readonly AuditRow[]): string {
  if (entries.length === 0) return 'No changes on that day.'
  const rows = entries.map((e) => [
    showTime(e.when),
    e.who,
    e.role ?? '-',
    e.what,
    e.saleId ?? blockIn(e.after ?? e.before) ?? '-',
    e.requestId,
  ])
  return columns(['when', 'who', 'role', 'what', 'about', 'request'], rows)
}

/** Returns the shopper or addresses of a block. */
function blockIn(state: unknown): string | undefined {
  const block = parse(controlApi.unblock.answer, state)
  return block.ok ? block.value.value : undefined
}

/** Prints units by variant in the order of the ids: `m*1+s*2`. */
function textOfUnits(units: VariantUnits): string {
  return Object.entries(units)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, some]) => `${id}*${some}`)
    .join('+')
}
