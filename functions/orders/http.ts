/** `GET /api/orders` and `GET /api/orders/{orderId}`. */
import { parseOrderId, parseSaleId, type ShopperId } from '../../core/ids.ts'
import { type HttpAnswer, invalid, jsonAnswer } from '../http/answer.ts'
import { readCaller, signInRequired } from '../http/caller.ts'
import type { HttpRequest } from '../http/request.ts'
import { createRouter, notFound } from '../http/routes.ts'
import { findOrder, listOrders, type Ports } from './orders.ts'

type Context = { ports: Ports; request: HttpRequest; shopperId: ShopperId }

const route = createRouter<Context>([
  {
    method: 'GET',
    path: '/api/orders',
    run: async ({ ports, request, shopperId }) => {
      const sale = request.query.get('sale')
      const saleId = sale === null ? undefined : parseSaleId(sale)
      if (sale !== null && saleId === undefined) return invalid('sale', 'sale is not a sale id')
      return jsonAnswer(200, { orders: await listOrders(ports, shopperId, saleId) })
    },
  },
  {
    method: 'GET',
    path: '/api/orders/:orderId',
    run: async ({ ports, shopperId }, { orderId: id }) => {
      const orderId = parseOrderId(id)
      if (orderId === undefined) return invalid('orderId', 'orderId is not an order id')
      const order = await findOrder(ports, shopperId, orderId)
      return order === undefined ? notFound() : jsonAnswer(200, order)
    },
  },
])

/** Answers one request about the caller's own orders. Throws what the ports throw. */
export async function answerOrders(ports: Ports, request: HttpRequest): Promise<HttpAnswer> {
  const caller = readCaller(request.headers)
  if (caller === undefined) return signInRequired()
  return route(request, { ports, request, shopperId: caller.shopperId })
}
