/**
 * `GET /api/control/orders?find=`: the orders that a person asks about, with their history and
 * payments. What they have is the number of an order or the id of a shopper.
 */
import * as z from 'zod/mini'
import { controlApi, type FoundOrder } from '../../core/api/control.ts'
import { type OrderId, parseOrderId, parseShopperId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'
import { cursorOf, readCursor } from '../../core/order-page.ts'
import { parse } from '../../core/parse.ts'
import { answerOf, type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { OrderLedger } from '../orders/order-ledger.ts'
import type { Orders } from '../orders/read-orders.ts'

export type FindOrdersPorts = {
  ledger: Pick<OrderLedger, 'find' | 'findMany'>
  orderLists: Pick<Orders, 'page'>
}

/** Orders of one answer: as many as a person looks through. */
const limit = 20

const query = z.strictObject({ find: z.string('must be given'), after: z.optional(z.string()) })

/** Unknown parameters are refused. Orders that are reserved and not written yet are not found. */
export async function answerFoundOrders(ports: FindOrdersPorts, given: URLSearchParams): Promise<HttpAnswer> {
  const asked = parse(query, Object.fromEntries(given))
  if (!asked.ok) return invalid(asked.field, asked.detail)
  const { find, after: cursor } = asked.value
  const after = cursor === undefined ? undefined : readCursor(cursor)
  if (cursor !== undefined && after === undefined)
    return invalid('after', 'after must be the next of another page')

  const named = await orderNamed(ports, parseOrderId(find))
  if (named !== undefined) return answerOf(controlApi.findOrders, { orders: [viewOf(named)], next: null })
  // A shopper id may look like the number of an order.
  const shopperId = parseShopperId(find)
  if (shopperId === undefined) return invalid('find', 'find must be an order number or a shopper ID')
  const page = await ports.orderLists.page(shopperId, { limit, ...(after && { after }) })
  const written = await ports.ledger.findMany(page.orderIds)
  const orders = page.orderIds.flatMap((orderId) => written.get(orderId) ?? [])
  const next = page.next === undefined ? null : cursorOf(page.next)
  return answerOf(controlApi.findOrders, { orders: orders.map(viewOf), next })
}

async function orderNamed(
  { ledger }: FindOrdersPorts,
  orderId: OrderId | undefined,
): Promise<Order | undefined> {
  return orderId === undefined ? undefined : ledger.find(orderId)
}

/** Without coupon codes: a code is worth what it redeems. */
function viewOf(order: Order): FoundOrder {
  const { orderId, saleId, shopperId, quantity, amount, currency, status, reason } = order
  const { reservedAt, writtenAt, payBy, payment, refunds = [], history } = order
  return {
    ...{ orderId, saleId, shopperId, quantity, amount, currency, status, reservedAt, writtenAt },
    ...{ refunds, history, payment: payment ?? null },
    payBy: status === 'awaiting-payment' ? payBy : null,
    ...(reason !== undefined && { reason }),
    ...(order.shipment !== undefined && { shipment: order.shipment }),
  }
}
