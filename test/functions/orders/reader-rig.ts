/** A shop with one sale, its table and Redis in memory, and a payment provider that records its requests. */
import type { OrderId, SaleId, ShopperId } from '../../../core/ids.ts'
import type { Order } from '../../../core/order.ts'
import type { PaymentMoney } from '../../../core/order-life.ts'
import type { OrderPageQuery } from '../../../core/order-page.ts'
import type { Sale } from '../../../core/sale.ts'
import { type Basket, basketUnits, stocksById } from '../../../core/variants.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import type { OrderChangePorts as ChangePorts } from '../../../functions/orders/order-changes-http.ts'
import type { OrderIdPage, ListPorts as ReadPorts } from '../../../functions/orders/read-orders.ts'
import type { SettlePorts } from '../../../functions/orders/settle.ts'
import type { PaymentRequest } from '../../../functions/payments/payment-provider.ts'
import type { Commander } from '../../../redis/command.ts'
import { readHolds } from '../../../redis/holds.ts'
import { reserve as reserveUnits } from '../../../redis/reserve.ts'
import { readStock } from '../../../redis/stock.ts'
import { warmStock } from '../../../redis/warm.ts'
import { memoryBanks } from '../../../simulation/memory/banks.ts'
import { countedCoupons } from '../../../simulation/memory/counted-coupons.ts'
import { memoryTable } from '../../../simulation/memory/order-table.ts'
import { outage } from '../../../simulation/memory/outage.ts'
import { testTelemetry } from '../../../simulation/memory/support.ts'
import { aPurchase, aSale, orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { testStore } from '../../redis/test-store.ts'
import { settledMoney } from '../../world/settled-money.ts'

/** When the tests' shoppers buy, and when the queue has written the order: the sale is open, and the clock does not move. */
const reservedAt = 5_000
const writtenAt = 6_000

/** A page as the table's list returns it. */
function pageOf(orders: readonly Order[], { saleId, limit, after }: OrderPageQuery): OrderIdPage {
  const listed = orders
    .filter((order) => saleId === undefined || order.saleId === saleId)
    .sort((a, b) => b.reservedAt - a.reservedAt || (a.orderId < b.orderId ? 1 : -1))
  const start = after === undefined ? 0 : listed.findIndex(({ orderId }) => orderId === after.orderId) + 1
  const page = listed.slice(start, start + limit)
  const last = start + limit < listed.length ? page.at(-1) : undefined
  return { orderIds: page.map(({ orderId }) => orderId), ...(last && { next: last }) }
}

export async function openShop(redis: Commander, changes: Partial<Sale> = {}) {
  const sale = aSale({ price: 250, ...changes })
  const stock = testStore(redis)
  const gate = testStore(redis, 'the gate')
  const table = memoryTable()
  const telemetry = testTelemetry()
  const time = { now: writtenAt }
  const payments = outage('the payment provider')
  const started: PaymentRequest[] = []
  const refunds: (PaymentMoney & { orderId: string })[] = []
  const published: number[] = []
  const delivered = new Set<OrderId>()
  gate.after('publish-stock', (command) => published.push(Number(command.at(-1))))
  const written = new Set<OrderId>()
  const drawCoupons = countedCoupons()
  await warmStock(redis, sale)
  await table.openCap(sale.saleId, sale.stock, undefined, sale.variants && stocksById(sale.variants))

  const ordersOf = async (shopperId: ShopperId): Promise<Order[]> => {
    const orders = await table.findMany([...written])
    return [...orders.values()].filter((order) => order.shopperId === shopperId)
  }
  const offers = {
    of: async (saleId: SaleId) => (saleId === sale.saleId ? sale : undefined),
    ofMany: async (saleIds: readonly SaleId[]) =>
      new Map(saleIds.includes(sale.saleId) ? [[sale.saleId, sale]] : []),
  }
  const money = settledMoney(payments.pass)
  const ports: ChangePorts & ReadPorts & SettlePorts = {
    orders: {
      find: table.find,
      findMany: table.findMany,
      page: async (shopperId, query) => pageOf(await ordersOf(shopperId), query),
    },
    offers,
    deliveries: { among: async (ids) => new Set(ids.filter((id) => delivered.has(id))) },
    ledger: table,
    releases: table.releases,
    banks: memoryBanks(),
    refunds: table.refunds,
    authorisations: table.authorisations,
    stock,
    gate,
    shopfront: { refresh: async () => {} },
    provider: {
      start: async (request) => {
        payments.pass()
        started.push(request)
        return { url: `https://pay.example/${request.paymentId}` }
      },
      refund: async (refund) => {
        payments.pass()
        refunds.push(refund)
      },
      ...money.calls,
    },
    clock: () => time.now,
    sleep: async (milliseconds) => {
      time.now += milliseconds
    },
    ...telemetry,
  }

  /** The units are only reserved. */
  async function reserve(
    shopper: number,
    order = 1,
    { now = reservedAt, basket }: { now?: number; basket?: Basket } = {},
  ): Promise<OrderId> {
    const units = basket && { basket, quantity: basketUnits(basket) }
    await reserveUnits(redis, aPurchase(sale, shopper, order, { now, ...units }))
    return orderIdOf(sale.saleId, shopper, order)
  }

  /** The order as the queue writes it; `change` is what happened to it since. */
  async function write(shopper: number, order = 1, change: Partial<Order> = {}): Promise<OrderId> {
    const { basket } = change
    const orderId = await reserve(shopper, order, { ...(basket && { basket }) })
    const units = basket === undefined ? { quantity: 1 } : { quantity: basketUnits(basket), basket }
    const { saleId } = sale
    const reservation = { orderId, saleId, shopperId: shopperIdOf(shopper), ...units, reservedAt }
    const entry = { messageIds: ['m'], limit: sale.limitPerShopper, capped: true }
    const fresh = newOrder(reservation, sale, writtenAt, drawCoupons)
    await table.write([{ ...entry, order: { ...fresh, ...change } }])
    written.add(orderId)
    return orderId
  }

  const find = async (orderId: OrderId): Promise<Order> => {
    const order = await table.find(orderId)
    if (order === undefined) throw new Error(`${orderId} is not written`)
    return order
  }

  return {
    sale,
    stock,
    table,
    telemetry,
    time,
    payments,
    started,
    refunds,
    published,
    /** Orders with a delivery. */
    delivered,
    ports,
    reserve,
    write,
    find,
    hold: async (orderId: OrderId) => (await readHolds(redis, sale.saleId, new Set([orderId]))).get(orderId),
    booked: async () => (await readStock(redis, sale.saleId))?.booked,
  }
}

export type TestShop = Awaited<ReturnType<typeof openShop>>
