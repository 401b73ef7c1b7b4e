/** Adds shoppers who buy or claim, depending on the kind of the sale. */
import type { ShopperId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { World } from '../world.ts'
import { drawClaimIntent, runClaimer, sendClaimRequest } from './claimer.ts'
import { drawIntent, drawUnits, runShopper, sendBuyRequest } from './shopper.ts'

/** Adds a shopper; one who `isHurried` arrives within two seconds and buys the maximum of an order. */
export function addShopper(
  world: World,
  sale: Sale,
  { isHurried, shopperId = world.newShopper() }: { isHurried: boolean; shopperId?: ShopperId },
): void {
  const { random, spawn } = world.simulation
  const hurry = () =>
    isHurried ? { arrivesAfterMs: random.spread(1, 2000), patience: 3, passesGate: random.chance(0.2) } : {}
  if (sale.kind === 'red-packet') {
    const intent = { ...drawClaimIntent(random, shopperId), ...hurry() }
    spawn(shopperId, () => runClaimer(world, intent))
  } else {
    const drawn = { ...drawIntent(world, shopperId, sale), ...hurry() }
    const intent = isHurried ? { ...drawn, ...drawUnits(random, sale, sale.maxPerOrder) } : drawn
    spawn(shopperId, () => runShopper(world, intent))
  }
}

/** Sends the request of another kind of sale: a purchase to red packets, a claim to goods. It must be rejected. */
export async function requestWrongKind(world: World): Promise<void> {
  const { kind, simulation, violated } = world
  await simulation.sleep(simulation.random.spread(1, 20_000))
  const shopperId = world.newShopper()
  const pass = { admission: undefined }
  const answer =
    kind === 'red-packet'
      ? await sendBuyRequest(world, { shopperId, quantity: 1 }, 'key', pass)
      : await sendClaimRequest(world, shopperId, pass)
  if (answer !== undefined && answer.statusCode < 300) {
    violated(`${shopperId} was answered ${answer.statusCode} by a sale of another kind (I6)`)
  }
}
