/** People who come by, for whatever the sale has. */
import type { Sale } from '../../core/sale.ts'
import type { World } from '../world.ts'
import { click, drawIntent, shop } from './shopper.ts'
import { drawTapIntent, standInTheRain, tap } from './tapper.ts'

/** Somebody new comes by; `isHurried` for whoever heard that there is something again. */
export function comeBy(world: World, sale: Sale, { isHurried }: { isHurried: boolean }): void {
  const { dice, spawn } = world.simulation
  const shopperId = world.newShopper()
  const hurry = () =>
    isHurried ? { arrivesAfterMs: dice.spread(1, 2000), patience: 3, passesGate: dice.chance(0.2) } : {}
  if (sale.kind === 'red-packet') {
    const intent = { ...drawTapIntent(dice, shopperId), ...hurry() }
    spawn(shopperId, () => standInTheRain(world, intent))
  } else {
    const drawn = { ...drawIntent(dice, shopperId, sale), ...hurry() }
    const intent = isHurried ? { ...drawn, quantity: sale.maxPerOrder } : drawn
    spawn(shopperId, () => shop(world, intent))
  }
}

/** Somebody asks for what the sale has not: nobody buys a packet, and nobody is given what others pay for. */
export async function knockAtTheWrongDoor(world: World): Promise<void> {
  const { kind, simulation, violated } = world
  await simulation.sleep(simulation.dice.spread(1, 20_000))
  const shopperId = world.newShopper()
  const pass = { admission: undefined }
  const answer =
    kind === 'red-packet'
      ? await click(world, { shopperId, quantity: 1 }, 'key', pass)
      : await tap(world, shopperId, pass)
  if (answer !== undefined && answer.statusCode < 300) {
    violated(`${shopperId} was answered ${answer.statusCode} at the door of another kind of sale (I6)`)
  }
}
