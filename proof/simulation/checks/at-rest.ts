/** All invariants of a sale at rest. */
import { findingsAtRest } from '../../invariants/invariants.ts'
import { checkCustomers } from '../actors/customers.ts'
import type { World } from '../world.ts'
import { checkCarts } from './carts.ts'
import { checkCoupons } from './coupons.ts'
import { checkDrawn } from './draw.ts'
import { violationIn } from './ledger.ts'
import { checkBudgetSpent } from './packets.ts'
import { checkRedemptions } from './redemptions.ts'
import { checkAllSold, checkVisible } from './reservations.ts'
import { checkShown } from './shown.ts'
import { takeSnapshot } from './snapshot.ts'

/** Reports every violation; with `isOver`, also whether everything that could be bought is sold. */
export async function checkAtRest(world: World, { isOver }: { isOver: boolean }): Promise<void> {
  for (const finding of findingsAtRest(await takeSnapshot(world))) world.violated(violationIn(finding))
  await (world.kind === 'red-packet' ? checkRain(world, isOver) : checkOrders(world, isOver))
  if (world.hasDraw) await checkDrawn(world)
  await checkShown(world)
  await checkCustomers(world)
}

async function checkRain(world: World, isOver: boolean): Promise<void> {
  if (!isOver) return
  await checkBudgetSpent(world)
}

async function checkOrders(world: World, isOver: boolean): Promise<void> {
  const { truth, saleId } = world
  const orders = truth.orders(saleId)
  await checkVisible(world, orders)
  await checkCoupons(world, orders)
  checkRedemptions(world, orders)
  checkCarts(world, orders)
  if (isOver) await checkAllSold(world, orders)
}
