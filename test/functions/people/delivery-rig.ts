/** A shop whose sale sends to some countries: orders and personal data in a real table. */
import { randomBytes, randomUUID } from 'node:crypto'
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { OrderId } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { DeliveryRequest } from '../../../core/people/delivery.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { optionHandlers } from '../../../functions/entries/option-handlers.ts'
import { composeApps } from '../../../functions/lib/http/app.ts'
import { createSealer } from '../../../functions/lib/sealer.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import { deliveryApp } from '../../../functions/people/delivery.ts'
import { orderKey } from '../../../functions/table/keys.ts'
import { orderItem } from '../../../functions/table/orders/order-item.ts'
import { findWrittenOrder } from '../../../functions/table/orders/orders.ts'
import { forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { aSale, orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { behindUrl } from '../../world/function-url.ts'
import { testTelemetry } from '../../world/telemetry.ts'

export const dayMs = 24 * 3600 * 1000

export const newKey = () => randomBytes(32).toString('base64')

/** The request of Ann in Berlin. */
export const berlin = {
  name: 'Ann Schäfer',
  addressLines: ['Torstraße 1', 'Hinterhaus'],
  locality: 'Berlin',
  postalCode: '10119',
  postalCountry: 'DE',
  phone: '030 8061 5040',
  email: 'Ann.Schaefer@example.com',
  language: 'en',
} satisfies DeliveryRequest

export const guangzhou = {
  name: '王小明',
  addressLines: ['天河路 385 号'],
  dependentLocality: '天河区',
  locality: '广州市',
  administrativeArea: '广东省',
  postalCountry: 'CN',
  phone: '138 0013 8000',
  email: 'xiaoming@example.cn',
  language: 'zh-CN',
} satisfies DeliveryRequest

/** All shops of a file share the keys, because they share its table. */
const keys = [newKey()]

let ordersMade = 0

export function deliveryShop(table: Table, changes: Partial<Sale> = {}) {
  const sale = aSale({ price: 250, delivery: { countries: ['CN', 'DE', 'US', 'GB', 'JP'] }, ...changes })
  const write = (order: Order) => table.client.send(new PutCommand({ TableName: table.name, Item: orderItem(order) }))
  const telemetry = testTelemetry()
  const time = { now: Date.UTC(2026, 10, 22) }
  const clock = () => time.now
  const ports = {
    offers: { find: async () => sale },
    table,
    sealer: createSealer(keys, clock),
    personalKeys: keys,
    sendsMails: false,
    newId: () => randomUUID(),
    keepMs: 180 * dayMs,
    clock,
    sleep: async () => undefined,
  }
  /** The request as the gate forwards it. */
  const { ofShoppers } = optionHandlers(ports, { SITE_BUCKET: 'site' })
  const app = composeApps({ '/': deliveryApp(ports, ofShoppers) })
  const send = behindUrl(telemetry, app)
  const ask =
    (method: string) =>
    (shopper: number | undefined, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(forwardedRequest(shopper === undefined ? undefined : shopperIdOf(shopper), method, path, body, headers))

  return {
    sale,
    ports,
    telemetry,
    time,
    keys,
    get: ask('GET'),
    put: ask('PUT'),
    erase: ask('DELETE'),
    ask,
    /** A written order of `shopper`, and the path of its delivery. */
    async order(shopper: number, change: Partial<Order> = {}) {
      ordersMade += 1
      const orderId = orderIdOf(sale.saleId, shopper, ordersMade)
      const reservation = { orderId, saleId: sale.saleId, shopperId: shopperIdOf(shopper), quantity: 1 }
      const order = newOrder({ ...reservation, reservedAt: 5_000 }, sale, 6_000, () => [])
      await write({ ...order, ...change })
      return { orderId, path: `/api/orders/${orderId}/delivery` }
    },
    async change(orderId: OrderId, change: Partial<Order>) {
      const order = await findWrittenOrder(table, orderId)
      if (order === undefined) throw new Error(`${orderId} is not written`)
      await write({ ...order, ...change })
    },
    async remove(orderId: OrderId) {
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: orderKey(orderId) }))
    },
  }
}
