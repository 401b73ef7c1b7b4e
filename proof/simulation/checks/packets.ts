/** The money of red packets is claimed or returned in the end (P8). */

import { wholeOf } from '../../../core/packets/packets.ts'
import { hasEnded } from '../../../core/sale/sale.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import type { World } from '../world.ts'

/**
 * After its end, a sale's budget is closed and every cent accounted for; before, all packets are
 * claimed.
 */
export async function checkBudgetSpent(world: World): Promise<void> {
  const { truth, saleId, simulation, violated } = world
  const sale = await world.sale()
  const money = (await saleTotals(truth.table, saleId))?.money
  if (money === undefined) return violated(`the cap of ${saleId} has no budget`)
  if (!hasEnded(sale, simulation.now())) {
    if (money.claimed !== wholeOf(sale).totalAmount) {
      violated(`${money.claimed} of ${money.budget} were claimed though all could be (I1)`)
    }
    return
  }
  const returns = truth.audited().filter(({ what }) => what === 'return')
  const [entry] = returns
  if (money.closedAt === undefined || returns.length !== 1) {
    violated(`the sale is over, and its budget was closed ${returns.length} times`)
  } else if (Number(entry?.after?.returned) + money.claimed !== money.budget) {
    violated(`${money.claimed} of ${money.budget} were claimed and ${entry?.after?.returned} returned`)
  }
}
