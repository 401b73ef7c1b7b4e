/**
 * Changes written orders in DynamoDB. One transaction holds all that a step changes, and an order is replaced only if it is
 * unchanged since it was read, so of two concurrent steps one succeeds.
 */
import type { OrderId, SaleId } from '../../../core/ids.ts'
import { firstCapPart } from '../../../core/orders/cap-part.ts'
import { holdsUnits, type Order } from '../../../core/orders/order.ts'
import { acceptedMoney, endedAttempt, type NeededDelivery, type PaymentMoney } from '../../../core/orders/order-life.ts'
import { isDisputed, refundProgress } from '../../../core/orders/order-refunds.ts'
import { sumByVariant } from '../../../core/sale/variants.ts'
import { toPaymentRequest } from '../../lib/shop/payment-provider.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { type CancellationReason, cancellationReasons, conditionFailed, isBusy } from '../dynamodb.ts'
import { deliveryKey, eventKey } from '../keys.ts'
import { releaseFromCap } from '../stock/cap-item.ts'
import { type TransactionItem, transact, transactOnce } from '../transaction.ts'
import { subtractFromBuyer } from './buyer-item.ts'
import { dueUpdate, type RefundStep, refundLeft } from './due-money.ts'
import { newOrderPut, orderItem } from './order-item.ts'
import { paidItems } from './paid-orders.ts'
import { releasePut } from './releases.ts'

/**
 * One step of one order: written only while the stored order is `from` (same history length). If the step takes the order's
 * units, the same transaction returns them to the sale's cap and the buyer's total and records a due release for Redis.
 * `refund` is due until the refunds of `to` cover all of it, and stopped while its payment is disputed. An authorisation that
 * the step accepts is recorded as due, and so is the closing of a page that the order no longer waits for. With `needsDelivery`
 * it is written only while such a delivery of the order is stored.
 */
export type OrderChange = { from: Order; to: Order; refund?: PaymentMoney; needsDelivery?: NeededDelivery }

/** A payment event, counted once by its id; `digest` distinguishes a repeat from a reuse of the id. */
export type ProviderEvent = { eventId: string; digest: string; receivedAt: number }

/**
 * `stale`: the orders or the refund changed since they were read; nothing was written. `repeat`: the event was counted before.
 * `reused`: its id belongs to another event. `no-delivery`: an order lacks the delivery that its step needs. `busy`: nothing
 * was written, a retry may succeed.
 */
type Changed =
  | { kind: 'changed' | 'repeat' | 'reused' | 'no-delivery' | 'busy' }
  | { kind: 'stale'; orderIds: ReadonlySet<OrderId> }

/** The maximum of orders in one change: five items each, and the event, are 96 of the 100 items of a transaction. */
export const maxChanges = 19

/** `unlimited`: sales whose caps have no `remaining`, which only a refusal revealed. */
type Refused = Changed | { kind: 'unlimited'; saleIds: readonly SaleId[] }

/** A sale stays unlimited and its id is never reused, so one refusal is enough. */
const unlimitedSales = new WeakMap<Table, Set<SaleId>>()

/** Writes all changes or none; `event` is counted with them, or alone. @throws when the table is unavailable */
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

/** Writes a rejected order and its due release unless the order exists. @throws when the table is unavailable */
export async function rejectOrder(table: Table, order: Order): Promise<'rejected' | 'exists'> {
  const { name } = table
  const written = await transact(table, [newOrderPut(name, order), releasePut(name, order)])
  return written === 'written' ? 'rejected' : 'exists'
}

/**
 * Interprets a refusal. A counted event decides it, and a changed order explains other failures.
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
    throw new Error(`the cap or a buyer of ${[...uncovered]} has less than the released orders`)
  }
  return { kind: 'unlimited', saleIds: unlimited }
}

/** An item and its purpose, to interpret its cancellation reason. */
type ChangeLine = { item: TransactionItem } & (
  | { kind: 'event'; digest: string }
  | { kind: 'order'; orderId: OrderId }
  | { kind: 'cap'; saleId: SaleId; capped: boolean }
  | { kind: 'buyer'; saleId: SaleId }
  | { kind: 'refund' }
  | { kind: 'delivery' }
  | { kind: 'unconditional' }
)

type Changes = { changes: readonly OrderChange[]; event: ProviderEvent | undefined; refund: RefundStep | undefined }

/** `unlimited` are the sales known to be so; any other cap is assumed to count down. */
function changeLines(
  TableName: string,
  { changes, event, refund }: Changes,
  unlimited: ReadonlySet<SaleId>,
): ChangeLine[] {
  const losing = changes.filter(({ from, to }) => holdsUnits(from.status) && !holdsUnits(to.status))
  const bySale = Map.groupBy(losing, ({ from }) => from.saleId)
  return [
    ...(event === undefined ? [] : [eventLine(TableName, event)]),
    ...(refund === undefined ? [] : [{ kind: 'refund' as const, item: { Update: refundLeft(TableName, refund) } }]),
    ...changes.flatMap((change) => orderLines(TableName, change)),
    ...[...bySale].flatMap(([saleId, ofSale]) => {
      const orders = ofSale.map(({ from }) => from)
      return unitLines(TableName, saleId, orders, !unlimited.has(saleId))
    }),
    ...paidItems(TableName, changes).map((item): ChangeLine => ({ kind: 'unconditional', item })),
  ]
}

function eventLine(TableName: string, event: ProviderEvent): ChangeLine {
  return {
    kind: 'event',
    digest: event.digest,
    item: {
      Put: {
        TableName,
        Item: { ...eventKey(event.eventId), ...event },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
  }
}

function orderLines(TableName: string, { from, to, refund, needsDelivery }: OrderChange): ChangeLine[] {
  const { orderId, history, writtenAt } = to
  const at = history.at(-1)?.at ?? writtenAt
  const order: ChangeLine = {
    kind: 'order',
    orderId,
    item: {
      Put: {
        TableName,
        Item: orderItem(to),
        // Also fails for a missing order.
        ConditionExpression: 'size(history) = :seen',
        ExpressionAttributeValues: { ':seen': from.history.length },
      },
    },
  }
  // The condition on the order guards its refunds as well.
  const gone = refundProgress(from, to).map((progress): ChangeLine => {
    return { kind: 'unconditional', item: { Update: refundLeft(TableName, progress) } }
  })
  const since = { orderId, requestedAt: at }
  const money = acceptedMoney(from, to)
  const page = endedAttempt(from, to)
  const due = [
    page && dueUpdate(TableName, 'page', { ...toPaymentRequest(from, page), requestedAt: at }),
    money && dueUpdate(TableName, 'authorisation', { ...money, ...since }),
    refund && dueUpdate(TableName, 'refund', { ...refund, ...since, isStopped: isDisputed(to, refund.paymentId) }),
  ]
  const lines = due
    .filter((Update) => Update !== undefined)
    .map((Update): ChangeLine => ({ kind: 'unconditional', item: { Update } }))
  return [order, ...gone, ...lines, ...(needsDelivery ? [deliveryLine(TableName, orderId, needsDelivery, at)] : [])]
}

/** Fails when no such delivery is stored, or it has expired at `now`, epoch ms. */
function deliveryLine(TableName: string, orderId: OrderId, needed: NeededDelivery, now: number): ChangeLine {
  const condition = {
    ConditionExpression: typeof needed === 'object' ? 'expiresAt > :now AND country = :country' : 'expiresAt > :now',
    ExpressionAttributeValues: {
      ':now': now / 1000,
      ...(typeof needed === 'object' && { ':country': needed.country }),
    },
  }
  return { kind: 'delivery', item: { ConditionCheck: { TableName, Key: deliveryKey(orderId), ...condition } } }
}

/** Updates the totals of a sale's orders. An item may appear only once, so one for each buyer and each part of the cap. */
function unitLines(TableName: string, saleId: SaleId, orders: readonly Order[], capped: boolean): ChangeLine[] {
  const byPart = Map.groupBy(orders, ({ capPart = firstCapPart }) => capPart)
  const byBuyer = Map.groupBy(orders, ({ shopperId }) => shopperId)
  return [
    ...[...byPart].map(([part, sold]): ChangeLine => {
      const units = { part, quantity: unitsOf(sold), orders: sold.length, capped, variants: sumByVariant(sold) }
      return { kind: 'cap', saleId, capped, item: releaseFromCap(TableName, saleId, units) }
    }),
    ...[...byBuyer].map(([shopperId, bought]): ChangeLine => {
      const item = subtractFromBuyer(TableName, { saleId, shopperId }, unitsOf(bought))
      return { kind: 'buyer', saleId, item }
    }),
    ...orders.map((order): ChangeLine => ({ kind: 'unconditional', item: releasePut(TableName, order) })),
  ]
}

const unitsOf = (orders: readonly Order[]) => orders.reduce((units, { quantity }) => units + quantity, 0)
