/**
 * Checks that the parts of a sale's cap have the whole stock: units left and units sold are as many
 * as the sale has (I4). Nothing corrects a difference, because either number may be the wrong one.
 */
import type { Sale } from '../../core/sale.ts'
import type { SaleTotals } from '../orders/order-ledger.ts'
import type { RepairPorts } from './ports.ts'

/**
 * Reports a difference. Units that move from one part to another may be counted twice, so a
 * difference counts only when all parts were read at the same moment.
 * @throws when the table is unavailable
 */
export async function checkCap(
  { sales, saleOrders, meter, log }: Pick<RepairPorts, 'sales' | 'saleOrders' | 'meter' | 'log'>,
  { saleId }: Sale,
): Promise<void> {
  const before = await sales.find(saleId)
  if (before === undefined) return
  const { stock } = before.sale
  if (differenceOf(stock, await saleOrders.totals(saleId)) === 0) return
  const totals = await saleOrders.totalsAtOnce(saleId)
  const after = await sales.find(saleId)
  const difference = differenceOf(stock, totals)
  // A change of the stock changes the sale and its cap together.
  if (difference === 0 || after?.revision !== before.revision) return
  meter.count('CapMismatch', Math.abs(difference))
  const { remaining, sold } = totals ?? {}
  log.error('units left and units sold are not the stock', { saleId, stock, remaining, sold })
}

/** 0 also for an unlimited stock, and where the totals are unknown. */
function differenceOf(stock: number, totals: SaleTotals | undefined): number {
  return stock === -1 || totals === undefined ? 0 : totals.remaining + totals.sold - stock
}
