/** Whoever has coupons looks at them, now and again. */
import type { OrderId, ShopperId } from '../../core/ids.ts'
import { answerOrders } from '../../functions/orders/orders-http.ts'
import { ask } from '../client.ts'
import { requestOf } from '../memory/support.ts'
import type { World } from '../world.ts'

/** An order of something else has nothing to look at. */
export async function lookAtCoupons(world: World, shopperId: ShopperId, orderId: OrderId): Promise<void> {
  const { simulation, functions, kind, coupons } = world
  const { dice, sleep } = simulation
  if (kind !== 'coupon') return
  for (let looks = dice.whole(1, 3); looks > 0; looks -= 1) {
    await sleep(dice.spread(100, 20_000))
    const request = requestOf(shopperId, 'GET', `/api/orders/${orderId}`)
    await ask(
      simulation,
      functions.orders,
      (ports) => answerOrders(ports, request),
      (answer) => coupons.hear(orderId, answer),
    )
  }
}
