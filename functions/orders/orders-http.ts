/** `GET /api/orders` and `GET /api/orders/{orderId}`: the caller's own orders. */
import { shopApi } from '../../core/api/shop.ts'
import { parseOrderId, type ShopperId } from '../../core/ids.ts'
import { cursorOf, readPageQuery } from '../../core/orders/order-page.ts'
import { answerOf, type HttpAnswer, invalid } from '../lib/http/answer.ts'
import { readCaller, signInRequired } from '../lib/http/caller.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter, notFound } from '../lib/http/routes.ts'
import { findOrder, type ListPorts, listOrders } from './read-orders.ts'

type Context = { ports: ListPorts; request: HttpRequest; shopperId: ShopperId }

const route = createRouter<Context>([
  {
    ...shopApi.listOrders,
    run: async ({ ports, request, shopperId }) => {
      const query = readPageQuery(request.query)
      if (!query.ok) return invalid(query.field, query.detail)
      const { orders, next } = await listOrders(ports, shopperId, query.value)
      return answerOf(shopApi.listOrders, { orders, next: next === undefined ? null : cursorOf(next) })
    },
  },
  {
    ...shopApi.getOrder,
    run: async ({ ports, shopperId }, { orderId: id }) => {
      const orderId = parseOrderId(id)
      if (orderId === undefined) return invalid('orderId', 'orderId is not an order id')
      const order = await findOrder(ports, shopperId, orderId)
      return order === undefined ? notFound() : answerOf(shopApi.getOrder, order)
    },
  },
])

/**
 * Answers one read of the caller's own orders.
 * @throws what the ports throw
 */
export async function answerOrders(ports: ListPorts, request: HttpRequest): Promise<HttpAnswer> {
  const caller = readCaller(request.headers)
  if (caller === undefined) return signInRequired()
  return route(request, { ports, request, shopperId: caller.shopperId })
}
