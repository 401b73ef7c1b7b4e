/**
 * A warehouse: reports orders as shipped and delivered while shoppers pay, cancel and are refunded.
 * Some reports come twice, and some meet a refund of the same order.
 */
import { shipmentStatuses } from '../../../core/api/shipment-lines.ts'
import type { World } from '../world.ts'
import { sendCommandUntilFinal } from './marketer.ts'

/** Most lines of a report. */
const mostLines = 6

/** Reports up to six times while the sale runs; between two, an order may be refunded. */
export async function runWarehouse(world: World): Promise<void> {
  const { simulation, saleId, reservations } = world
  const { random, sleep } = simulation
  for (let reports = random.whole(2, 6); reports > 0; reports -= 1) {
    await sleep(random.spread(2000, 100_000))
    const orderIds = [...reservations.reserved.keys()]
    if (orderIds.length === 0) continue
    const lines = Array.from({ length: random.whole(1, mostLines) }, () => ({
      orderId: random.pick(orderIds),
      carrier: random.pick(['DHL', 'SF Express']),
      ...(random.chance(0.9) && { tracking: `N${random.whole(1, 2)}` }),
      status: random.pick(shipmentStatuses),
    }))
    const report = () => sendCommandUntilFinal(world, `sales/${saleId}/shipments`, { lines })
    const refund = () => sendCommandUntilFinal(world, `orders/${random.pick(lines).orderId}/refund`)
    if (random.chance(0.4)) await Promise.all([report(), refund()])
    else await report()
    if (random.chance(0.2)) await report()
    if (random.chance(0.3)) await refund()
  }
}
