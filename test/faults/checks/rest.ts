/** What must hold once nothing is on its way any more. */
import { allOrders } from '../parts/table.ts'
import type { World } from '../world.ts'
import { checkConservation } from './conservation.ts'
import { checkLife, checkMoney } from './life.ts'
import { checkPromises, checkSoldOut } from './promises.ts'
import { checkShown } from './shown.ts'

/** Tells everything that does not hold; all is to be sold where everybody could buy, as `isOver` says. */
export async function checkAtRest(world: World, { isOver }: { isOver: boolean }): Promise<void> {
  const { truth, saleId } = world
  const listed = await allOrders(truth, saleId)
  const orders = [...(await truth.table.findMany(listed.map(({ orderId }) => orderId))).values()]
  await checkPromises(world, orders)
  await checkConservation(world, orders)
  checkMoney(world, orders)
  for (const order of orders) checkLife(world, order)
  await checkShown(world)
  if (isOver) await checkSoldOut(world, orders)
}
