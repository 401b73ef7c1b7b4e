/**
 * Visits of a sale that is over: staff look up orders and change brand, lists and drafts, shoppers read
 * their orders or wallets, tills redeem coupons, and the next sale sends its orders to addresses.
 */
import { tills } from '../functions.ts'
import type { World } from '../world.ts'
import { runReader, runWalletReader } from './account.ts'
import { runParcels } from './parcels.ts'
import { runStaff } from './staff.ts'
import { runTill } from './till.ts'

/** Starts all of them; each comes to an end. */
export function visit(world: World): void {
  const { simulation, kind, shoppers, packets } = world
  const { random, spawn } = simulation
  for (let left = random.whole(1, 3); left > 0; left -= 1) spawn(`staff-${left}`, () => runStaff(world, left))
  const winners = [...packets.handedOut.values()].map(({ shopperId }) => shopperId)
  const visitors = kind === 'red-packet' ? winners : shoppers
  for (let left = Math.min(3, visitors.length); left > 0; left -= 1) {
    const shopperId = random.pick(visitors)
    spawn(shopperId, () => (kind === 'red-packet' ? runWalletReader(world, shopperId) : runReader(world, shopperId)))
  }
  if (kind === 'coupon') for (const till of tills) spawn(till, () => runTill(world, till))
  if (kind === 'goods') spawn('sender', () => runParcels(world))
}
