/** All invariants of a sale at rest. */
import type { World } from '../world.ts'
import { checkConservation } from './conservation.ts'
import { checkCoupons } from './coupons.ts'
import { checkLife, checkMoney } from './life.ts'
import { checkBudgetSpent, checkPackets } from './packets.ts'
import { checkRedemptions } from './redemptions.ts'
import { checkAllSold, checkReservations } from './reservations.ts'
import { checkShown } from './shown.ts'
import { checkVariants } from './variants.ts'

/** Reports every violation; with `isOver`, also whether everything that could be bought is sold. */
export async function checkAtRest(world: World, { isOver }: { isOver: boolean }): Promise<void> {
  await (world.kind === 'red-packet' ? checkRain(world, isOver) : checkOrders(world, isOver))
  await checkShown(world)
}

async function checkRain(world: World, isOver: boolean): Promise<void> {
  await checkPackets(world)
  if (isOver) await checkBudgetSpent(world)
}

async function checkOrders(world: World, isOver: boolean): Promise<void> {
  const { truth, saleId } = world
  const orders = truth.orders(saleId)
  await checkReservations(world, orders)
  await checkCoupons(world, orders)
  checkRedemptions(world, orders)
  await checkConservation(world, orders)
  await checkVariants(world, orders)
  checkMoney(world, orders)
  for (const order of orders) checkLife(world, order)
  if (isOver) await checkAllSold(world, orders)
}
