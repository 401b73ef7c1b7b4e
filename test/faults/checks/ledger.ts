/** What must hold in the table at every moment, whatever is on its way (I1, I3). */
import type { SaleId } from '../../../core/ids.ts'
import { holdsUnits } from '../../../core/order.ts'
import { allOrders, type Truth } from '../parts/table.ts'

/** Tells what does not hold. The stock is what the sale says: a cap that lets more through proves nothing. */
export async function checkLedger(
  truth: Truth,
  saleId: SaleId,
  violated: (what: string) => void,
): Promise<void> {
  const sale = (await truth.sales.find(saleId))?.sale
  if (sale === undefined) return
  const byShopper = new Map<string, number>()
  let units = 0
  for (const { shopperId, quantity, status } of await allOrders(truth, saleId)) {
    if (!holdsUnits(status)) continue
    units += quantity
    byShopper.set(shopperId, (byShopper.get(shopperId) ?? 0) + quantity)
  }
  if (sale.stock !== -1 && units > sale.stock) {
    violated(`${units} units stand of a stock of ${sale.stock} (I1)`)
  }
  for (const [shopperId, bought] of byShopper) {
    if (bought > sale.limitPerShopper) {
      violated(`${shopperId} has ${bought} units, more than the limit of ${sale.limitPerShopper} (I3)`)
    }
  }
}
