/**
 * The shoppers of a standby list: some join once the sale has sold out, and leave or stay, look whether they have an offer, and buy
 * on it or let it pass. Others click without one.
 */
import type { ShopperId } from '../../../core/ids.ts'
import { hasEnded } from '../../../core/sale/sale.ts'
import { member } from '../client.ts'
import type { World } from '../world.ts'
import { addShopper } from './arrivals.ts'
import { changeEntryUntilFinal, sendEntry } from './entries.ts'
import { drawIntent, runShopper } from './shopper.ts'

/** Most shoppers who join, and looks of each. */
const mostEntrants = 6
/** Shoppers look for the list for so long, in steps of five seconds. */
const mostWaits = 200
const mostLooks = 60

/** Waits until the sale has sold out, and lets shoppers join. */
export async function runStandby(world: World): Promise<void> {
  const { simulation } = world
  const { random, sleep, spawn } = simulation
  for (let looks = 0; (await world.sale()).standbyFrom === undefined; looks += 1) {
    if (looks === mostWaits) return
    await sleep(5000)
  }
  for (let left = random.whole(0, mostEntrants); left > 0; left -= 1) {
    const shopperId = world.newShopper()
    spawn(shopperId, () => runEntrant(world, shopperId))
  }
  for (let left = random.whole(2, mostEntrants); left > 0; left -= 1) {
    await sleep(random.spread(1000, 200_000))
    addShopper(world, await world.sale(), { isHurried: true })
  }
}

async function runEntrant(world: World, shopperId: ShopperId): Promise<void> {
  const { simulation, entries } = world
  const { random, sleep, now } = simulation
  await sleep(random.spread(1000, 100_000))
  entries.entrants.set(shopperId, 'unsure')
  if (!(await changeEntryUntilFinal(world, shopperId, 'PUT'))) return
  if (random.chance(0.2)) {
    await sleep(random.spread(100, 20_000))
    await changeEntryUntilFinal(world, shopperId, 'DELETE')
    if (random.chance(0.5)) await changeEntryUntilFinal(world, shopperId, 'PUT')
  }
  for (let looks = 0; looks < mostLooks; looks += 1) {
    await sleep(random.spread(2000, 30_000))
    const sale = await world.sale()
    if (sale.standbyOver || hasEnded(sale, now())) return
    const seen = await sendEntry(world, shopperId, 'GET')
    if (seen?.statusCode !== 200 || member(seen, 'offer') === undefined) continue
    // A shopper who is offered a unit once lets it pass, or buys later.
    if (random.chance(0.3)) continue
    return runShopper(world, { ...drawIntent(random, shopperId, sale), arrivesAfterMs: 1, keys: 1 })
  }
}
