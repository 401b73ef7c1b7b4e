/** A snapshot of a running sale: its stock, messages in flight and written orders. */
import { components, type Live, type SaleSeries } from '../../core/api/control-answers.ts'
import type { SaleId } from '../../core/ids.ts'
import { ownValue } from '../../core/lib/own-value.ts'
import { phaseOf, type Sale } from '../../core/sale/sale.ts'
import { demandFigures, seriesColumns } from '../../core/sale/series.ts'
import { allUnits } from '../../core/sale/variants.ts'
import { readDemand } from '../../redis/gate/demand.ts'
import { type GateFacts, readGate } from '../../redis/gate/gate.ts'
import { readAdmissions } from '../../redis/gate/replenish.ts'
import { outboxSize } from '../../redis/orders/outbox.ts'
import { isSplit } from '../../redis/shards.ts'
import { hasReturnableUnits, readReachable, readStock, type StockFacts } from '../../redis/stock/stock.ts'
import { messagesIn, type ShopContext, type StorePorts, type Table } from '../lib/shop/shop.ts'
import { driftOf, type InFlight } from '../recovery/stock/drift.ts'
import { hasUnitsOf, isPublishedToGate, isPublishedToStock } from '../sales/published-state.ts'
import { partsIn, readSplitStock, type SplitStock, unitsIn } from '../sales/split-stock.ts'
import { type PaidCounters, readPaidOrders } from '../table/orders/paid-orders.ts'
import type { SaleRecord } from '../table/sale/sale-item.ts'
import { saleTotals } from '../table/sale/sale-orders.ts'
import { findSale } from '../table/sale/sales.ts'
import { readSeries, secondsKeptMs, timeToSoldOut } from '../table/sale/series.ts'
import type { PacketMoney, SaleTotals } from '../table/stock/cap-item.ts'

/** Returns the numbers of a sale, all read at about the same time, or undefined when there is no such sale. */
export async function readLive(
  ports: StorePorts & Pick<ShopContext, 'orderQueue' | 'allDeadLetters'>,
  saleId: SaleId,
): Promise<Live | undefined> {
  const { table, orderQueue, allDeadLetters, clock } = ports
  const record = await findSale(table, saleId)
  if (record === undefined) return undefined
  const [totals, paid, redis, sqs, gate] = await Promise.all([
    saleTotals(table, saleId),
    record.sale.kind === 'red-packet' ? null : readPaidOrders(table, record.sale.saleId),
    nullIfUnavailable(() => readUnits(ports, record.sale)),
    nullIfUnavailable(() => Promise.all([orderQueue.depth(), allDeadLetters()])),
    nullIfUnavailable(async () => {
      const [admissions, published, demand] = await Promise.all([
        readAdmissions(ports.gate, saleId),
        readGate(ports.gate, saleId),
        readDemand(ports.gate, saleId),
      ])
      return { admissions, published, demand }
    }),
  ])
  const { facts, outbox, splitStock, rows } = redis ?? unreadable
  const [queue, deadLetters] = sqs ?? [null, null]
  const answers = { redis, sqs, gate }
  const unavailable = components.filter((component) => answers[component] === null)
  const now = clock()
  const { sale } = record
  const units = splitStock === undefined ? facts : unitsIn(splitStock)
  const { total, available: left } = units ?? { total: 0, available: 0 }
  const stock = facts === undefined ? null : { total, booked: facts.booked, heldBack: facts.heldBack, available: left }
  const { sold, orders } = totals ?? { sold: 0, orders: 0 }
  const admissions = gate?.admissions ?? null
  const split = sale.archivedAt === undefined ? rows : null
  const allSell = split === null || split.shards.every(({ state }) => state === 'selling')
  // A lost stock, or one being rebuilt, will have units again.
  const isChecked = facts === undefined || facts.frozen || hasReturnableUnits(facts)
  const isKnown = facts !== undefined && outbox !== null && queue !== null && !facts.frozen && allSell
  return {
    sale,
    phase: phaseOf(sale, now, leftForPhase(redis, left, allSell), isChecked),
    inStep: redis !== null && gate !== null && isPublished(record, facts, gate.published),
    frozen: facts?.frozen ?? false,
    stock,
    ...variantsOf(facts, splitStock),
    split,
    orders: { sold, orders },
    drift: isKnown ? shownDrift(facts, sold, { outbox, queue }) : null,
    outbox,
    queue,
    deadLetters,
    demand: gate && demandFigures(gate.demand),
    soldOut: await soldOutOfWindows(table, sale, totals, { isEmpty: isSoldOut(facts, units), now }),
    ...moneyOfOrders(sale, paid),
    money: totals?.money === undefined ? null : moneyOf(totals.money),
    admissions: admissions && { remaining: admissions.remaining, out: admissions.out, rate: admissions.rate ?? null },
    unavailable,
    now,
  }
}

/** Hours in one answer, by the minute. */
const hoursPerPage = 24

/**
 * Returns the time series of a sale, also of an archived one: the last hour by the second, and by the minute the last day with
 * samples, or the day before `before` (epoch ms). Undefined when there is no such sale.
 * @throws when the table is unavailable
 */
export async function readSaleSeries(
  { table, clock }: Pick<ShopContext, 'table' | 'clock'>,
  saleId: SaleId,
  before?: number,
): Promise<SaleSeries | undefined> {
  const [record, seconds, minutes] = await Promise.all([
    findSale(table, saleId),
    before === undefined ? readSeries(table, saleId, 'second', { from: clock() - secondsKeptMs }) : undefined,
    readSeries(table, saleId, 'minute', { before: before ?? clock() + 1, limit: hoursPerPage }),
  ])
  if (record === undefined) return undefined
  return {
    seconds: seriesColumns(seconds?.samples ?? []),
    minutes: seriesColumns(minutes.samples),
    next: minutes.isComplete ? null : minutes.start,
  }
}

/** Counts all units that are not left as booked. In a split stock, units that no shard has yet are left. */
function variantsOf(facts: StockFacts | undefined, splitStock: SplitStock | undefined): Pick<Live, 'variants'> {
  if (facts?.variants === undefined) return {}
  const parts = splitStock && partsIn(splitStock)
  const rows = Object.entries(facts.variants).map(([id, counters]) => {
    const total = ownValue(parts?.total, id) ?? counters.total
    const left = ownValue(parts?.left, id) ?? counters.left
    return [id, { total, left, booked: total - left }] as const
  })
  return { variants: Object.fromEntries(rows) }
}

type Units = {
  facts: StockFacts | undefined
  outbox: number | null
  splitStock: SplitStock | undefined
  rows: Live['split']
}

/** Returns the units left for the phase: 0 for a lost stock, -1 when a shard is unknown, so that flag and clock decide. */
function leftForPhase(redis: Units | null, left: number, allSell: boolean): number {
  if (redis === null) return -1
  if (redis.facts === undefined) return 0
  return left === 0 && !allSell ? -1 : left
}

/** Returns the units that can be bought now, -1 for an unlimited stock, null while they are unknown. */
export async function unitsLeft(ports: StorePorts, sale: Sale): Promise<number | null> {
  const { facts, splitStock } = await readUnits(ports, sale)
  if (facts === undefined || facts.frozen) return null
  return (splitStock === undefined ? facts : unitsIn(splitStock)).available
}

/** Reads the units of a sale. An unavailable shard of a split stock leaves the numbers of the others as they are. */
async function readUnits(ports: StorePorts, sale: Sale): Promise<Units> {
  const { stock } = ports
  const { saleId } = sale
  if (!(await isSplit(stock, saleId))) {
    const [facts, outbox] = await Promise.all([readStock(stock, saleId), outboxSize(stock, saleId)])
    return { facts, outbox, splitStock: undefined, rows: null }
  }
  const [splitStock, outbox] = await Promise.all([
    readSplitStock(ports, saleId),
    nullIfUnavailable(() => outboxSize(stock, saleId)),
  ])
  const facts = await readReachable(stock, saleId)
  return { facts, outbox, splitStock, rows: splitStock === undefined ? null : splitOf(sale, splitStock) }
}

const unreadable: Units = { facts: undefined, outbox: null, splitStock: undefined, rows: null }

function splitOf(sale: Sale, { escrow, facts }: SplitStock): Live['split'] {
  const granted = escrow.shards.map((shard) => allUnits(shard.granted))
  return { pool: allUnits(escrow.pool), shards: rowsOf(sale, granted, facts) }
}

function rowsOf(
  { databases }: Sale,
  granted: readonly number[],
  facts: SplitStock['facts'],
): NonNullable<Live['split']>['shards'] {
  return granted.map((units, at) => {
    const shard = facts[at]
    const row = { database: databases[at] ?? '', granted: units, booked: null, left: null }
    if (shard instanceof Error) return { ...row, state: 'unreachable' } as const
    if (shard === undefined) return { ...row, state: 'missing' } as const
    const { frozen, total, booked } = shard
    return { ...row, state: frozen ? 'frozen' : 'selling', booked, left: total - booked } as const
  })
}

/**
 * True when Redis and the gate match the table. A sale that is not warmed, or archived, has nothing in Redis. During a stock
 * change either total is accepted.
 */
function isPublished(
  { sale, pendingStock }: SaleRecord,
  stock: StockFacts | undefined,
  gate: GateFacts | undefined,
): boolean {
  if (!sale.warmed || sale.archivedAt !== undefined) return true
  const hasTotal = pendingStock !== undefined || stock?.isSplit || (stock !== undefined && hasUnitsOf(sale, stock))
  return hasTotal && isPublishedToStock(sale, stock) && isPublishedToGate(sale, gate, stock)
}

/** Hides a negative drift while messages wait: the counters are read separately, so more may seem sold than booked. */
function shownDrift(stock: StockFacts, sold: number, inFlight: InFlight): number | null {
  const drift = driftOf(stock, { sold }, inFlight)
  return drift !== null && drift < 0 && messagesIn(inFlight.queue) > 0 ? null : drift
}

const isSoldOut = (facts: StockFacts | undefined, units: { available: number } | undefined): boolean =>
  facts !== undefined && !facts.frozen && facts.heldBack === 0 && units?.available === 0

/** Returns the times that `reconcile` has recorded, and calculates that of the present window until then. */
async function soldOutOfWindows(
  table: Table,
  sale: Sale,
  totals: SaleTotals | undefined,
  { isEmpty, now }: { isEmpty: boolean; now: number },
): Promise<Live['soldOut']> {
  const { windows, windowIndex, stock } = sale
  const noted = totals?.soldOut ?? {}
  const isNew = isEmpty && totals?.remaining === 0 && noted[windowIndex]?.stock !== stock
  const latest = isNew ? await timeToSoldOut(table, sale, now) : undefined
  return Array.from(
    { length: Math.max(1, windows.length) },
    (_, at) => (at === windowIndex ? latest : undefined) ?? noted[at]?.afterMs ?? null,
  )
}

/** Returns the amounts paid for goods, or the number of redeemed coupons. */
function moneyOfOrders({ kind }: Sale, counted: PaidCounters | null): Pick<Live, 'paid' | 'redeemed'> {
  if (counted === null) return { paid: null, redeemed: null }
  const { redeemed, ...paid } = counted
  return { paid: kind === 'goods' ? paid : null, redeemed: kind === 'coupon' ? redeemed : null }
}

function moneyOf({ budget, claimed, closedAt }: PacketMoney): NonNullable<Live['money']> {
  const left = budget - claimed
  return { budget, claimed, left, returned: closedAt === undefined ? null : left }
}

/** Returns null after any failure. The functions that depend on the part log the cause. */
export function nullIfUnavailable<T>(ask: () => Promise<T>): Promise<T | null> {
  return ask().catch(() => null)
}
