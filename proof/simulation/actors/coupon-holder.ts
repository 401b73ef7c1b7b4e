/** A shopper with coupons reads the order now and again. */
import type { OrderId, ShopperId } from '../../../core/ids.ts'
import { ordersApp } from '../../../functions/orders/orders-http.ts'
import { sendRequest } from '../client.ts'
import { answerTo, requestOf } from '../parts/requests.ts'
import type { World } from '../world.ts'

/** Does nothing unless the sale sells coupons. */
export async function readCoupons(world: World, shopperId: ShopperId, orderId: OrderId): Promise<void> {
  const { simulation, functions, kind, coupons } = world
  const { random, sleep } = simulation
  if (kind !== 'coupon') return
  for (let looks = random.whole(1, 3); looks > 0; looks -= 1) {
    await sleep(random.spread(100, 20_000))
    const request = requestOf(shopperId, 'GET', `/api/orders/${orderId}`)
    await sendRequest(
      simulation,
      functions.orders,
      (ports) => answerTo(ordersApp(ports), request),
      (answer) => coupons.record(orderId, answer),
    )
  }
}
