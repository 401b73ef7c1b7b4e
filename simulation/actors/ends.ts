/** How a sale ends once all is at rest: what is left is taken by fresh shoppers, or the sale is over before. */
import { hasEnded } from '../../core/sale.ts'
import { readStock } from '../../redis/stock.ts'
import type { Dice } from '../engine/dice.ts'
import type { World } from '../world.ts'
import { comeBy } from './crowd.ts'
import { command, insist } from './marketer.ts'
import { everyMs } from './reconcile.ts'
import { buy, type Intent, payFor } from './shopper.ts'
import { catchPacket } from './tapper.ts'

/** One step towards the end; false when it could not be made, which is told. */
type End = (world: World) => Promise<boolean>

/** The ends of a rain: all packets go, or some are left when it is over. */
export function drawEnds(dice: Dice): readonly End[] {
  return dice.pick([[sellTheRest], [sellTheRest, endTheRain], [endTheRain], [endTheRain]])
}

const steady = { arrivesAfterMs: 0, patience: 100, clicksTwice: false, passesGate: true }

/** Fresh shoppers take all that is left, and pay at once what is to be paid. */
export async function sellTheRest(world: World): Promise<boolean> {
  const { redis, saleId, simulation, violated } = world
  const isOver = async () => hasEnded(await world.sale(), simulation.now())
  while ((await world.sale()).flag === 'paused' && !(await isOver())) {
    await insist(world, `sales/${saleId}/resume`)
  }
  // The last window opens by itself.
  while ((await world.sale()).flag === 'off') await simulation.sleep(everyMs)
  const sale = await world.sale()
  if (sale.stock === -1 || (await isOver())) return true
  for (;;) {
    const available = (await simulation.aside(() => readStock(redis, saleId)))?.available ?? 0
    if (available === 0) return true
    const isTaken =
      sale.kind === 'red-packet'
        ? await catchPacket(world, { ...steady, shopperId: world.newShopper() })
        : await buyAndPay(world, Math.min(available, sale.maxPerOrder))
    if (isTaken) continue
    violated(`${available} units are left and cannot be had (I1)`)
    return false
  }
}

async function buyAndPay(world: World, quantity: number): Promise<boolean> {
  const shopperId = world.newShopper()
  const intent: Intent = { ...steady, shopperId, quantity, keys: 1, afterwards: 'pays' }
  const orderId = await buy(world, intent, 'key')
  if (orderId !== undefined) await payFor(world, intent, orderId)
  return orderId !== undefined
}

/** The marketer closes it, or moves its end to now, while people still tap and others already count what is left. */
async function endTheRain(world: World): Promise<boolean> {
  const { saleId, simulation } = world
  const { dice, spawn, sleep, now } = simulation
  const sale = await world.sale()
  for (let left = dice.whole(0, 5); left > 0; left -= 1) comeBy(world, sale, { isHurried: true })
  for (let left = dice.whole(0, 3); left > 0; left -= 1) {
    spawn('counter', async () => {
      await sleep(dice.spread(1, 2000))
      await command(world, `sales/${saleId}/reconcile`)
    })
  }
  await sleep(dice.spread(1, 2000))
  if (sale.windows.length > 0 || dice.chance(0.5)) await insist(world, `sales/${saleId}/close`)
  else await insist(world, `sales/${saleId}`, { endsAt: now() + dice.spread(1, 2000) }, 'PATCH')
  return true
}
