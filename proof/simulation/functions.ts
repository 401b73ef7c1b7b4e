/**
 * Wires the functions as their handlers do. Every port that leaves the process is a step of the simulation, and a
 * simulated environment holds the memory of a handler.
 */
import type { SaleId } from '../../core/ids.ts'
import type { FinalOrder, Order } from '../../core/orders/order.ts'
import { capPartWriter } from '../../functions/orders/cap-part-writer.ts'
import { cacheOffers } from '../../functions/orders/offers.ts'
import { simulatedWebhooks } from '../../functions/orders/payments/payment-webhooks.simulated.ts'
import { missThrottle } from '../../functions/orders/redeem.ts'
import { digestOfShopKey } from '../../functions/orders/shop-keys.ts'
import { throttleRefresh } from '../../functions/sales/publishing/shopfront.ts'
import { withCouponEntries } from '../../functions/table/orders/coupon-orders.ts'
import { withOrderNumbers } from '../../functions/table/orders/order-numbers.ts'
import { acknowledgeOrders, outboxSize } from '../../redis/orders/outbox.ts'
import { functionTimeoutSeconds } from '../../system/functions.ts'
import { openEnvironments, type Simulation } from './engine/simulation.ts'
import { type Outside, personalData, type SharedPorts } from './shared-ports.ts'

/** The tills that redeem coupons. */
export const tills = ['till-1', 'till-2', 'web']
export const keyOfTill = (till: string) => `${till}.${'k'.repeat(43)}`

/** Time limit to undo a redemption. */
const undoMs = 15 * 60_000

/** Retention of personal data: longer than the sale. */
const keepMs = 180 * 86_400_000

export const limitMs = 1000 * functionTimeoutSeconds('reserve')
export const longLimitMs = 1000 * functionTimeoutSeconds('control')

export type Functions = ReturnType<typeof wireFunctions>

export function wireFunctions(simulation: Simulation, outside: Outside, shared: SharedPorts) {
  const { stock, table, queues, makeCoupons } = outside
  const { common, shopfront, gateNotifiers, admissions, orderLife, maintenance, newId } = shared
  const { now } = simulation
  return {
    control: openEnvironments(simulation, 'control', longLimitMs, () => ({
      ...maintenance(),
      databases: async () => databasesFor(outside.shards),
      databaseNamed: async () => stock,
      chargeLimits: () => ({ step: 1, min: 1, max: Number.MAX_SAFE_INTEGER }),
      hasCheckout: true,
      allowsLoopback: false,
      wake: outside.wake,
    })),
    reconcile: openEnvironments(simulation, 'reconcile', longLimitMs, maintenance),
    reserve: openEnvironments(simulation, 'reserve', limitMs, () => ({
      stock,
      queue: { send: queues.send },
      ...gateNotifiers(),
      ...common(),
    })),
    writeOrders: openEnvironments(simulation, 'writer', limitMs, () => ({
      writer: withOrderNumbers(
        table.table,
        withCouponEntries(
          table.table,
          capPartWriter({ writer: table.book, table: table.table, random: simulation.random.fraction }),
        ),
      ),
      offers: cacheOffers(table.table),
      makeCoupons,
      deadLetters: queues.rejectedOrders,
      outbox: { remove: (saleId: SaleId, orders: readonly FinalOrder[]) => acknowledgeOrders(stock, saleId, orders) },
      admissions: admissions(),
      deadlines: queues.deadlines,
      shopfront: throttleRefresh(shopfront(), (saleId) => outboxSize(stock, saleId), simulation.now),
      ...common(),
    })),
    cancelUnpaid: openEnvironments(simulation, 'timer', limitMs, () => ({
      ...orderLife(),
      deadlines: queues.deadlines,
      deadLetters: queues.rejectedTimers,
    })),
    orders: openEnvironments(simulation, 'orders', limitMs, () => ({
      stock,
      offers: cacheOffers(table.table),
      table: table.table,
      ...common(),
    })),
    wallet: openEnvironments(simulation, 'wallet', limitMs, () => ({ table: table.table, ...common() })),
    delivery: openEnvironments(simulation, 'delivery', limitMs, () => ({
      offers: cacheOffers(table.table),
      table: table.table,
      keepMs,
      sendsMails: false,
      newId: newId('delivery-id'),
      ...common(),
      ...personalData(now),
    })),
    orderChanges: openEnvironments(simulation, 'order changes', limitMs, () => ({
      offers: cacheOffers(table.table),
      // Low, so that some orders wait.
      paymentPagesPerSecond: 2,
      shopKeys: Object.fromEntries(tills.map((till) => [till, digestOfShopKey(keyOfTill(till))])),
      undoMs,
      misses: missThrottle(now),
      orderQueue: { sendAll: queues.sendAll },
      // The signature has its own tests; here the shop trusts the reservation.
      signReservation: async ({ orderId }: Pick<Order, 'orderId'>) => orderId,
      ...orderLife(),
    })),
    payments: openEnvironments(simulation, 'webhook', limitMs, () => ({
      // The signature has its own tests; all messages are genuine here.
      webhooks: simulatedWebhooks({ faultOf: () => undefined }),
      ...orderLife(),
    })),
  }
}

/** Returns one database for each shard. */
function databasesFor(shards: number) {
  const names = Array.from({ length: shards }, (_, at) => (at === 0 ? 'main' : `db-${at + 1}`))
  return names.map((name) => ({ name, commandsPerSecond: 10_000 }))
}
