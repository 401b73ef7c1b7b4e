/** `GET /api/orders`, `GET /api/orders/{orderId}` and `GET /api/packets`: the caller's own orders and red packets. */
import { shopApi } from '../../core/api/shop.ts'
import { walletApi } from '../../core/api/wallet.ts'
import { cursorOf } from '../../core/orders/order-page.ts'
import { notFound, unavailable } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import { findOwnClaim } from './own-claim.ts'
import { findOrderView, type ListPorts, listOrders } from './read-orders.ts'

const routes = [
  on(shopApi.listOrders, async (ports: ListPorts, { caller, query: { sale, ...page } }) => {
    const asked = { ...page, ...(sale && { saleId: sale }) }
    const { orders, next } = await listOrders(ports, caller.shopperId, asked)
    return { orders, next: next === undefined ? null : cursorOf(next) }
  }),
  on(
    shopApi.getOrder,
    async (ports: ListPorts, { caller, params }) =>
      (await findOrderView(ports, caller.shopperId, params.orderId)) ?? notFound(),
  ),
  on(walletApi.findPacket, async (ports: ListPorts, { caller, query: { sale } }) => {
    const found = await findOwnClaim(ports, caller.shopperId, sale)
    if (found.kind === 'known') return { packet: found.packet }
    return found.kind === 'unsure' ? unavailable() : notFound()
  }),
]

export const ordersApp = (ports: ListPorts) => createApp(ports, routes, forShoppers)
