/** Invariants of the table that hold after every write (I1, I3). */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { holdsUnits } from '../../core/order.ts'
import type { Sale } from '../../core/sale.ts'
import { unitsByVariant } from '../baskets.ts'
import type { GroundTruth } from '../parts/table.ts'
import { checkCredits } from './credits.ts'

/**
 * Checks the table once, against the stock in the sale's definition: a wrong cap must not hide an
 * oversell.
 */
export function ledgerCheck(
  truth: GroundTruth,
  saleId: SaleId,
  shoppers: readonly ShopperId[],
  violated: (what: string) => void,
): () => Promise<void> {
  let claimedWhenClosed: number | undefined
  return async () => {
    const sale = truth.sale(saleId)?.sale
    if (sale === undefined) return
    if (sale.kind !== 'red-packet') return checkOrders(truth, sale, violated)
    await checkCredits(truth, sale, shoppers, violated)
    const money = (await truth.saleOrders.totals(saleId))?.money
    if (money?.closedAt === undefined) return
    claimedWhenClosed ??= money.claimed
    if (money.claimed !== claimedWhenClosed) {
      violated(`${money.claimed - claimedWhenClosed} were credited after the budget was closed (P8)`)
    }
  }
}

async function checkOrders(truth: GroundTruth, sale: Sale, violated: (what: string) => void): Promise<void> {
  const byShopper = new Map<string, number>()
  let units = 0
  const orders = truth.orders(sale.saleId).filter(({ status }) => holdsUnits(status))
  const byVariant = unitsByVariant(orders)
  for (const { shopperId, quantity } of orders) {
    units += quantity
    byShopper.set(shopperId, (byShopper.get(shopperId) ?? 0) + quantity)
  }
  if (sale.stock !== -1 && units > sale.stock) {
    violated(`${units} units are held by orders of a stock of ${sale.stock} (I1)`)
  }
  for (const { id, stock } of sale.variants ?? []) {
    const held = byVariant[id] ?? 0
    if (held > stock) violated(`${held} units of ${id} are held by orders of a stock of ${stock} (I1, N1)`)
  }
  for (const [shopperId, bought] of byShopper) {
    if (bought > sale.limitPerShopper) {
      violated(`${shopperId} has ${bought} units, more than the limit of ${sale.limitPerShopper} (I3)`)
    }
  }
}
