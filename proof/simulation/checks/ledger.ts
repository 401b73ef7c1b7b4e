/** Invariants of the table that hold after every write (I1, I3). */
import type { SaleId } from '../../../core/ids.ts'
import { wholeOf } from '../../../core/packets/packets.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import type { Finding } from '../../invariants/findings.ts'
import { findingsAtAnyTime } from '../../invariants/invariants.ts'
import type { GroundTruth } from '../parts/table.ts'
import { packetsInTable } from './credits.ts'

/** A finding as a line of the trace, with the invariants that it breaks. */
export function violationIn({ rules, text }: Finding): string {
  return `${text} (${rules.join(', ')})`
}

/**
 * Checks the table once, against the stock in the sale's definition: a wrong cap must not hide an
 * oversell.
 */
export function ledgerCheck(truth: GroundTruth, saleId: SaleId, violated: (what: string) => void): () => Promise<void> {
  const report = (findings: readonly Finding[]) => {
    for (const finding of findings) violated(violationIn(finding))
  }
  let claimedWhenClosed: number | undefined
  return async () => {
    const sale = truth.sale(saleId)?.sale
    if (sale === undefined) return
    if (sale.kind !== 'red-packet') return report(findingsAtAnyTime({ sale, orders: truth.orders(saleId) }))
    const table = await packetsInTable(truth, sale)
    if (table === undefined) return
    const packets = { count: sale.stock, totalAmount: wholeOf(sale).totalAmount, table }
    report(findingsAtAnyTime({ sale, orders: [], packets }))
    const money = (await saleTotals(truth.table, saleId))?.money
    if (money?.closedAt === undefined) return
    claimedWhenClosed ??= money.claimed
    if (money.claimed !== claimedWhenClosed) {
      violated(`${money.claimed - claimedWhenClosed} were credited after the budget was closed (P8)`)
    }
  }
}
