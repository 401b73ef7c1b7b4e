/** `GET /api/orders` and `GET /api/orders/{orderId}`: the caller's own orders. */
import { shopApi } from '../../core/api/shop.ts'
import { cursorOf } from '../../core/orders/order-page.ts'
import { notFound } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import { findOrder, type ListPorts, listOrders } from './read-orders.ts'

const routes = [
  on(shopApi.listOrders, async (ports: ListPorts, { caller, query: { sale, ...page } }) => {
    const asked = { ...page, ...(sale && { saleId: sale }) }
    const { orders, next } = await listOrders(ports, caller.shopperId, asked)
    return { orders, next: next === undefined ? null : cursorOf(next) }
  }),
  on(
    shopApi.getOrder,
    async (ports: ListPorts, { caller, params }) =>
      (await findOrder(ports, caller.shopperId, params.orderId)) ?? notFound(),
  ),
]

/** Answers reads of the caller's own orders. */
export const ordersApp = (ports: ListPorts) => createApp(ports, routes, forShoppers)
