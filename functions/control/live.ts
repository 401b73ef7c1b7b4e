/** A snapshot of a running sale: stock, messages on their way, written orders. */
import { components, type Live } from '../../core/api/control.ts'
import type { SaleId } from '../../core/ids.ts'
import { phaseOf } from '../../core/sale.ts'
import type { RedisStores } from '../../redis/command.ts'
import { type GateFacts, readGate } from '../../redis/gate.ts'
import { outboxSize } from '../../redis/outbox.ts'
import { readAdmissions } from '../../redis/replenish.ts'
import { readStock, type StockFacts } from '../../redis/stock.ts'
import type { PacketMoney, PaidOrders, SaleOrders } from '../orders/order-ledger.ts'
import { driftOf, type OnTheirWay } from '../repair/drift.ts'
import type { ClaimQueue } from '../repair/ports.ts'
import { type Depths, messagesIn } from '../repair/ports.ts'
import { gateInStep, stockInStep } from '../sales/in-step.ts'
import type { SaleBook, SaleRecord } from '../sales/sale-book.ts'

export type LivePorts = RedisStores & {
  sales: Pick<SaleBook, 'find'>
  saleOrders: Pick<SaleOrders, 'totals'>
  paidOrders: PaidOrders
  queues: Pick<Depths, 'orders'>
  claimQueue: ClaimQueue
  allDeadLetters: () => Promise<number>
  clock: () => number
}

/**
 * The numbers of a sale, each read at about the same time, or undefined when there is no such sale.
 */
export async function readLive(ports: LivePorts, saleId: SaleId): Promise<Live | undefined> {
  const { sales, saleOrders, paidOrders, queues, claimQueue, allDeadLetters, clock } = ports
  const record = await sales.find(saleId)
  if (record === undefined) return undefined
  const depth = record.sale.kind === 'red-packet' ? claimQueue.depth : queues.orders
  const [totals, paid, redis, sqs, gate] = await Promise.all([
    saleOrders.totals(saleId),
    record.sale.kind === 'goods' ? paidOrders.of(saleId) : null,
    orUnavailable(() => Promise.all([readStock(ports.stock, saleId), outboxSize(ports.stock, saleId)])),
    orUnavailable(() => Promise.all([depth(), allDeadLetters()])),
    orUnavailable(async () => {
      const [admissions, told] = await Promise.all([
        readAdmissions(ports.gate, saleId),
        readGate(ports.gate, saleId),
      ])
      return { admissions, told }
    }),
  ])
  const [facts, outbox] = redis ?? [undefined, null]
  const [queue, deadLetters] = sqs ?? [null, null]
  const asked = { redis, sqs, gate }
  const unavailable = components.filter((component) => asked[component] === null)
  const now = clock()
  const { sale } = record
  const stock =
    facts === undefined
      ? null
      : {
          total: facts.total,
          booked: facts.booked,
          heldBack: facts.heldBack,
          available: facts.available,
        }
  // A lost stock has nothing left. Of an unavailable one nothing is known: flag and clock decide.
  const available = redis === null ? -1 : (facts?.available ?? 0)
  const { sold, orders } = totals ?? { sold: 0, orders: 0 }
  const admissions = gate?.admissions ?? null
  const isKnown = facts !== undefined && outbox !== null && queue !== null && !facts.frozen
  return {
    sale,
    phase: phaseOf(sale, now, available),
    inStep: redis !== null && gate !== null && inStep(record, facts, gate.told),
    frozen: facts?.frozen ?? false,
    stock,
    orders: { sold, orders },
    drift: isKnown ? shownDrift(facts, sold, { outbox, queue }) : null,
    outbox,
    queue,
    deadLetters,
    paid,
    money: totals?.money === undefined ? null : moneyOf(totals.money),
    admissions: admissions && { remaining: admissions.remaining, out: admissions.out },
    unavailable,
    now,
  }
}

/**
 * A sale that is not warmed, or archived, has nothing in Redis. While a change of the stock is
 * under way its total may be either.
 */
function inStep(
  { sale, pendingStock }: SaleRecord,
  stock: StockFacts | undefined,
  gate: GateFacts | undefined,
): boolean {
  if (!sale.warmed || sale.archivedAt !== undefined) return true
  const hasTotal = pendingStock !== undefined || stock?.total === sale.stock
  return hasTotal && stockInStep(sale, stock) && gateInStep(sale, gate, stock)
}

/**
 * The counters are read at the same time, so while orders are written more may seem to be sold than
 * is booked.
 */
function shownDrift(stock: StockFacts, sold: number, onTheirWay: OnTheirWay): number | null {
  const drift = driftOf(stock, { sold }, onTheirWay)
  return drift !== null && drift < 0 && messagesIn(onTheirWay.queue) > 0 ? null : drift
}

function moneyOf({ budget, claimed, closedAt }: PacketMoney): NonNullable<Live['money']> {
  const left = budget - claimed
  return { budget, claimed, left, returned: closedAt === undefined ? null : left }
}

/**
 * Any failure counts: the functions that cannot do without the part say in their logs what is wrong
 * with it.
 */
function orUnavailable<T>(ask: () => Promise<T>): Promise<T | null> {
  return ask().catch(() => null)
}
