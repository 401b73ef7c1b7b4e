/** The money of red packets is claimed or returned in the end (P8), in the amounts that an announced split gives (P1). */

import { roundFile } from '../../../core/draw/beacon-file.ts'
import { checkRain } from '../../../core/packets/check-rain.ts'
import { wholeOf } from '../../../core/packets/packets.ts'
import { hasEnded } from '../../../core/sale/sale.ts'
import { verifyOnce } from '../../../functions/sales/draw/verify-once.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { claimName } from '../packet-record.ts'
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

/** Where the split was announced, every packet had the amount that any reader computes once the sale is over. */
export async function checkSplit({ saleId, draws, packets, simulation, violated, ...world }: World): Promise<void> {
  if (draws.files.size === 0 || !hasEnded(await world.sale(), simulation.now())) return
  const source = async (path: string) => draws.files.get(path)
  const { faults, state, amounts, isMixed, rules } = await checkRain(source, {
    verifyRound: verifyOnce,
    known: { sale: saleId },
  })
  for (const { fault, detail } of faults) violated(`a reader rejects the split: ${fault}, ${detail} (P1)`)
  if (state !== 'revealed') violated('the sale is over, and its seed is not published (P1)')
  if (isMixed === false && draws.files.has(roundFile))
    violated('the round was published, and the packets were split without it (P1)')
  for (const claim of packets.handedOut.values()) {
    const due = amounts?.[claim.packet]
    if (amounts !== undefined && (claim.amount !== due || claim.currency !== rules?.currency))
      violated(`${claimName(claim)} holds ${claim.amount} ${claim.currency}, and the seed gives ${due} (P1)`)
  }
}
