/** Staff who place orders for shoppers, each call repeated until it is answered. */
import type { ShopperId } from '../../../core/ids.ts'
import { drawWanted } from '../wanted-units.ts'
import type { World } from '../world.ts'
import { sendCommand } from './marketer.ts'

/** Now and then that is more than the sale has units. */
const mostOrders = 12

/** Places each order once or twice; some shoppers are asked for again under the same key. */
export async function runStaffOrders(world: World): Promise<void> {
  const { simulation, saleId, reservations } = world
  const { random, sleep } = simulation
  await sleep(random.spread(1, 20_000))
  const sale = await world.sale()
  for (let at = random.whole(1, mostOrders); at > 0; at -= 1) {
    const shopperId = drawShopper(world)
    const key = `staff-${random.chance(0.9) ? at : 0}`
    const wanted = drawWanted(random, sale, random.whole(1, sale.maxPerOrder))
    const order = { shopperId, key, ...wanted }
    for (let calls = random.pick([1, 1, 2]); calls > 0; calls -= 1) {
      for (let tries = 0; tries < 6; tries += 1) {
        const answer = await sendCommand(world, `sales/${saleId}/orders`, order, {
          onAnswer: (heard) => reservations.recordPlaced(shopperId, key, heard, wanted),
        })
        if (answer !== undefined && answer.statusCode < 500) break
        await sleep(random.spread(500, 10_000))
      }
    }
  }
}

/** Mostly a new shopper; otherwise one who is on the sale's page at the same time. */
function drawShopper(world: World): ShopperId {
  const { random } = world.simulation
  return random.chance(0.8) || world.shoppers.length === 0 ? world.newShopper() : random.pick(world.shoppers)
}
