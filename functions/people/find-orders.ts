/**
 * `POST /api/control/orders/find`: the orders that a person asks about, with their history and
 * payments, and if asked for the rest of the shopper. What they have is the number of an order, the
 * shopper's e-mail address or the id of a shopper.
 */
import type { FoundOrder, FoundOrders } from '../../core/api/control-answers.ts'
import { controlOperations } from '../../core/api/control-requests.ts'
import { parseOrderId, parseShopperId, type ShopperId } from '../../core/ids.ts'
import type { Dispute, Order } from '../../core/orders/order.ts'
import { parseOrderNumber } from '../../core/orders/order-number.ts'
import { cursorOf, readCursor } from '../../core/orders/order-page.ts'
import { onControl } from '../control/entrance.ts'
import { invalid } from '../lib/http/answer.ts'
import { findOrderOfNumber } from '../table/orders/order-numbers.ts'
import { findWrittenOrder, findWrittenOrders, pageOfOrders } from '../table/orders/orders.ts'
import { shoppersWithEmail } from '../table/people/contacts.ts'
import { type FoundShopperPorts, readShopper } from './found-shopper.ts'

/** Orders of one answer: as many as a person looks through. */
const limit = 20

/** Orders that are reserved and not written yet are not found. */
export const findOrdersRoute = onControl(
  controlOperations.findOrders,
  async (ports: FoundShopperPorts, { caller, body }) => {
    const { find, after: cursor, shopper: asksForShopper = false } = body
    const after = cursor === undefined ? undefined : readCursor(cursor)
    if (cursor !== undefined && after === undefined) return invalid('after', 'after must be the next of another page')

    const named = await orderNamed(ports, find)
    if (named !== undefined && !asksForShopper) return { orders: [viewOfFound(named)], next: null }
    const shoppers = find.includes('@') && named === undefined ? await shoppersWithEmail(ports, find) : []
    if (shoppers.length > 1) return ordersOfSeveral(ports, shoppers)
    // A shopper id may look like the number of an order, or like an e-mail address.
    const shopperId = named?.shopperId ?? shoppers[0] ?? parseShopperId(find)
    if (shopperId === undefined) {
      return invalid('find', 'find must be an order number or id, an e-mail address or a shopper ID')
    }
    const page = await pageOfOrders(ports.table, shopperId, { limit, ...(after && { after }) })
    const written = await findWrittenOrders(ports.table, page.orderIds)
    const listed = page.orderIds.flatMap((orderId) => written.get(orderId) ?? [])
    const orders = named === undefined ? listed : withFirst(named, listed, after === undefined)
    return {
      orders: orders.map(viewOfFound),
      next: page.next === undefined ? null : cursorOf(page.next),
      ...(asksForShopper &&
        after === undefined && {
          // As in orders.csv: support helps a person who has named the address.
          shopper: await readShopper(ports, {
            ...{ shopperId, orders, mayReadContact: caller.roles.includes('marketer') },
          }),
        }),
    }
  },
)

/** The order that was asked for comes first, and once. */
function withFirst(named: Order, orders: readonly Order[], isFirstPage: boolean): readonly Order[] {
  const others = orders.filter(({ orderId }) => orderId !== named.orderId)
  return isFirstPage ? [named, ...others] : others
}

/**
 * The newest orders of each, because a cursor belongs to one shopper; the shopper ids in the answer lead to
 * the others.
 */
async function ordersOfSeveral({ table }: FoundShopperPorts, shoppers: readonly ShopperId[]): Promise<FoundOrders> {
  const pages = await Promise.all(shoppers.map((shopperId) => pageOfOrders(table, shopperId, { limit })))
  const written = await findWrittenOrders(
    table,
    pages.flatMap(({ orderIds }) => orderIds),
  )
  const orders = [...written.values()].sort((a, b) => b.reservedAt - a.reservedAt)
  return { orders: orders.slice(0, limit).map(viewOfFound), next: null, shoppers }
}

/** The order of an id, or of a number as people write it. */
async function orderNamed({ table }: FoundShopperPorts, find: string): Promise<Order | undefined> {
  const orderId = parseOrderId(find)
  if (orderId !== undefined) return findWrittenOrder(table, orderId)
  const number = parseOrderNumber(find)
  return number === undefined ? undefined : findOrderOfNumber(table, number)
}

/** An order as staff sees it. Without coupon codes: a code is worth what it redeems. */
export function viewOfFound(order: Order): FoundOrder {
  const { orderId, saleId, shopperId, quantity, amount, currency, status, reason } = order
  const { reservedAt, writtenAt, payBy, payment, refunds = [], history, orderNumber } = order
  return {
    ...(orderNumber !== undefined && { orderNumber }),
    ...{ orderId, saleId, shopperId, quantity, amount, currency, status, reservedAt, writtenAt },
    ...{ refunds, history, payment: payment ?? null },
    payBy: status === 'awaiting-payment' ? payBy : null,
    ...(order.deliveryCost !== undefined && { deliveryCost: order.deliveryCost }),
    ...(order.variant !== undefined && { variant: order.variant }),
    ...(reason !== undefined && { reason }),
    ...(order.dispute !== undefined && { dispute: disputeOf(order.dispute) }),
    ...(order.coupons !== undefined && {
      coupons: {
        issued: order.coupons.length,
        redeemed: (order.redemptions ?? []).filter(({ undoneAt }) => undoneAt === undefined).length,
      },
    }),
    ...(order.shipment !== undefined && { shipment: order.shipment }),
  }
}

const disputeOf = ({ paymentId, state, at }: Dispute) => ({ paymentId, state, at })
