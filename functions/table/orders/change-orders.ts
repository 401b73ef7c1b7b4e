/**
 * Changes of written orders in DynamoDB. One transaction holds all that a step changes, and an
 * order is replaced only while it is the one that was read, so of two concurrent steps one
 * succeeds.
 */
import type { OrderId, SaleId } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type CancellationReason, cancellationReasons, conditionFailed, isBusy } from '../dynamodb.ts'
import { transact, transactOnce } from '../transaction.ts'
import { type ChangeLine, changeLines } from './change-lines.ts'
import type { OrderChange, ProviderEvent, RefundStep } from './order-change.ts'
import { newOrderPut } from './order-item.ts'
import { releasePut } from './releases.ts'

/**
 * `stale`: the orders or the refund changed since they were read; nothing was written. `repeat`:
 * the event was counted before. `reused`: its id belongs to another event. `no-delivery`: an order
 * lacks the delivery that its step needs. `busy`: nothing was written, a retry may succeed.
 */
type Changed =
  | { kind: 'changed' | 'repeat' | 'reused' | 'no-delivery' | 'busy' }
  | { kind: 'stale'; orderIds: ReadonlySet<OrderId> }

/**
 * Most orders of one change: five items each (order, buyer, release, one refund, its part of
 * the cap) and the event are 96 of the 100 items of a transaction.
 */
export const maxChanges = 19

/** `unlimited`: sales whose caps have no `remaining`, which only a refusal revealed. */
type Refused = Changed | { kind: 'unlimited'; saleIds: readonly SaleId[] }

/** A sale stays unlimited and its id is never reused, so one refusal is enough. */
const unlimitedSales = new WeakMap<Table, Set<SaleId>>()

/**
 * All changes or none; `event` is counted with them, even when there are no changes.
 * @throws when the table is unavailable
 */
export async function changeWrittenOrders(
  table: Table,
  changes: readonly OrderChange[],
  event?: ProviderEvent,
  refund?: RefundStep,
): Promise<Changed> {
  const unlimited = unlimitedSales.get(table) ?? new Set()
  unlimitedSales.set(table, unlimited)
  const lines = changeLines(table.name, { changes, event, refund }, unlimited)
  if (lines.length === 0) return { kind: 'changed' }
  try {
    await transactOnce(
      table,
      lines.map(({ item }) => item),
    )
    return { kind: 'changed' }
  } catch (error) {
    if (isBusy(error)) return { kind: 'busy' }
    const reasons = cancellationReasons(error)
    if (reasons?.some(conditionFailed) !== true) throw error
    const refused = refusedBy(lines, reasons)
    if (refused.kind !== 'unlimited') return refused
    for (const saleId of refused.saleIds) unlimited.add(saleId)
    return changeWrittenOrders(table, changes, event, refund)
  }
}

/**
 * Writes a rejected order and its due release, unless an order of that id exists.
 * @throws when the table is unavailable
 */
export async function rejectOrder(table: Table, order: Order): Promise<'rejected' | 'exists'> {
  const { name } = table
  const written = await transact(table, [newOrderPut(name, order), releasePut(name, order)])
  return written === 'written' ? 'rejected' : 'exists'
}

/**
 * Interprets a refusal. A counted event decides it, and an order that changed explains other
 * failures.
 * @throws when a counter does not cover the orders it counts, which no retry repairs
 */
function refusedBy(lines: readonly ChangeLine[], reasons: readonly CancellationReason[]): Refused {
  const stale = new Set<OrderId>()
  let isRefundStale = false
  let lacksDelivery = false
  const unlimited: SaleId[] = []
  const uncovered = new Set<SaleId>()
  for (const [index, line] of lines.entries()) {
    const reason = reasons[index]
    if (!conditionFailed(reason)) continue
    const old = reason?.Item
    if (line.kind === 'event') return { kind: old?.digest?.S === line.digest ? 'repeat' : 'reused' }
    if (line.kind === 'order') stale.add(line.orderId)
    else if (line.kind === 'refund') isRefundStale = true
    else if (line.kind === 'delivery') lacksDelivery = true
    else if (line.kind === 'cap' && line.capped && old !== undefined && !('remaining' in old)) {
      unlimited.push(line.saleId)
    } else if (line.kind !== 'unconditional') uncovered.add(line.saleId)
  }
  if (stale.size > 0 || isRefundStale) return { kind: 'stale', orderIds: stale }
  if (lacksDelivery) return { kind: 'no-delivery' }
  if (uncovered.size > 0) {
    throw new Error(`the cap or a buyer of ${[...uncovered]} has less than the orders given back`)
  }
  return { kind: 'unlimited', saleIds: unlimited }
}
