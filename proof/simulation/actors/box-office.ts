/** A box office: orders for many shoppers in one call, repeated until it is answered. */
import type { ShopperId } from '../../../core/ids.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { drawWanted, fieldsOf } from '../baskets.ts'
import type { World } from '../world.ts'
import { sendCommand } from './marketer.ts'

/** Most lines of a call; now and then that is more than the sale has units. */
const mostLines = 12

/** Calls once or twice, perhaps with the same lines again. */
export async function runBoxOffice(world: World): Promise<void> {
  const { simulation, saleId, reservations } = world
  const { random, sleep } = simulation
  await sleep(random.spread(1, 20_000))
  const sale = await world.sale()
  const shoppers = Array.from({ length: random.whole(1, mostLines) }, () => drawShopper(world))
  const drawn = shoppers.map((shopperId, at) => ({
    line: { shopperId, key: `line-${random.chance(0.9) ? at : 0}` },
    wanted: drawWanted(random, sale, random.whole(1, sale.maxPerOrder)),
  }))
  const lines = drawn.map(({ line, wanted }) => ({ ...line, ...fieldsOf(wanted) }))
  const onAnswer = (answer: HttpAnswer) =>
    reservations.recordLines(
      answer,
      drawn.map(({ wanted }) => wanted),
    )
  for (let calls = random.pick([1, 1, 2]); calls > 0; calls -= 1) {
    for (let tries = 0; tries < 6; tries += 1) {
      const answer = await sendCommand(world, `sales/${saleId}/orders`, { lines }, { onAnswer })
      if (answer !== undefined && answer.statusCode < 500) break
      await sleep(random.spread(500, 10_000))
    }
  }
}

/** Mostly a new shopper; otherwise one who is on the sale's page at the same time. */
function drawShopper(world: World): ShopperId {
  const { random } = world.simulation
  return random.chance(0.8) || world.shoppers.length === 0 ? world.newShopper() : random.pick(world.shoppers)
}
