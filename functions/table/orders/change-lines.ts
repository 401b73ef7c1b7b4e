/**
 * The items of a transaction that changes orders: the orders; where they lose their units the cap,
 * the buyers' totals and the releases; the counts of paid orders; refunds; the delivery that a step
 * needs; and the event that caused it.
 */

import type { OrderId, SaleId } from '../../../core/ids.ts'
import { firstCapPart } from '../../../core/orders/cap-part.ts'
import { holdsUnits, type Order } from '../../../core/orders/order.ts'
import { acceptedMoney, type NeededDelivery } from '../../../core/orders/order-life.ts'
import { refundProgress } from '../../../core/orders/order-refunds.ts'
import { sumByVariant } from '../../../core/sale/variants.ts'
import { deliveryKey, eventKey } from '../keys.ts'
import { giveBackToCap } from '../stock/cap-item.ts'
import type { TransactionItem } from '../transaction.ts'
import { authorisationUpdate } from './authorisations.ts'
import { giveBackOfBuyer } from './buyer-item.ts'
import type { OrderChange, ProviderEvent, RefundStep } from './order-change.ts'
import { orderItem } from './order-item.ts'
import { paidItems } from './paid-orders.ts'
import { refundLeft, refundUpdate } from './refunds.ts'
import { releasePut } from './releases.ts'

/** An item and its purpose, to interpret its cancellation reason. */
export type ChangeLine = { item: TransactionItem } & (
  | { kind: 'event'; digest: string }
  | { kind: 'order'; orderId: OrderId }
  | { kind: 'cap'; saleId: SaleId; capped: boolean }
  | { kind: 'buyer'; saleId: SaleId }
  | { kind: 'refund' }
  | { kind: 'delivery' }
  | { kind: 'unconditional' }
)

type Changes = {
  changes: readonly OrderChange[]
  event: ProviderEvent | undefined
  refund: RefundStep | undefined
}

/** `unlimited` are the sales known to be so; any other cap is assumed to count down. */
export function changeLines(
  TableName: string,
  { changes, event, refund }: Changes,
  unlimited: ReadonlySet<SaleId>,
): ChangeLine[] {
  const losing = changes.filter(({ from, to }) => holdsUnits(from.status) && !holdsUnits(to.status))
  const bySale = Map.groupBy(losing, ({ from }) => from.saleId)
  return [
    ...(event === undefined ? [] : [eventLine(TableName, event)]),
    ...(refund === undefined ? [] : [refundLine(TableName, refund)]),
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

function refundLine(TableName: string, refund: RefundStep): ChangeLine {
  return { kind: 'refund', item: { Update: refundLeft(TableName, refund) } }
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
  const due = [
    money && authorisationUpdate(TableName, { ...money, ...since }),
    refund && refundUpdate(TableName, { ...refund, ...since }),
  ]
  const lines = due
    .filter((Update) => Update !== undefined)
    .map((Update): ChangeLine => ({ kind: 'unconditional', item: { Update } }))
  return [order, ...gone, ...lines, ...(needsDelivery ? [deliveryLine(TableName, orderId, needsDelivery, at)] : [])]
}

/** Fails where no such delivery is stored, or one that is expired at `now`, epoch ms. */
function deliveryLine(TableName: string, orderId: OrderId, needed: NeededDelivery, now: number): ChangeLine {
  const condition = {
    ConditionExpression: typeof needed === 'object' ? 'expiresAt > :now AND country = :country' : 'expiresAt > :now',
    ExpressionAttributeValues: {
      ':now': now / 1000,
      ...(typeof needed === 'object' && { ':country': needed.country }),
    },
  }
  return {
    kind: 'delivery',
    item: { ConditionCheck: { TableName, Key: deliveryKey(orderId), ...condition } },
  }
}

/**
 * Totals of one sale's orders. An item may appear only once, so the orders of a buyer are one, and
 * so are those of a part of the cap.
 */
function unitLines(TableName: string, saleId: SaleId, orders: readonly Order[], capped: boolean): ChangeLine[] {
  const byPart = Map.groupBy(orders, ({ capPart = firstCapPart }) => capPart)
  const byBuyer = Map.groupBy(orders, ({ shopperId }) => shopperId)
  return [
    ...[...byPart].map(([part, sold]): ChangeLine => {
      const units = {
        ...{ part, quantity: unitsOf(sold), orders: sold.length, capped },
        variants: sumByVariant(sold),
      }
      return { kind: 'cap', saleId, capped, item: giveBackToCap(TableName, saleId, units) }
    }),
    ...[...byBuyer].map(([shopperId, bought]): ChangeLine => {
      const item = giveBackOfBuyer(TableName, { saleId, shopperId }, unitsOf(bought))
      return { kind: 'buyer', saleId, item }
    }),
    ...orders.map((order): ChangeLine => ({ kind: 'unconditional', item: releasePut(TableName, order) })),
  ]
}

const unitsOf = (orders: readonly Order[]) => orders.reduce((units, { quantity }) => units + quantity, 0)
