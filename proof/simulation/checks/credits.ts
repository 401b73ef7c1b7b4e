/** Reads red packets with the credits of the wallets, and checks the invariants of the table after every write (I1, I3). */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { allPackets } from '../../../core/packets/packets.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { readWallet } from '../../../functions/packets/wallet.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import type { InvariantFinding } from '../../invariants/findings.ts'
import { findingsAtAnyTime } from '../../invariants/invariants.ts'
import type { PacketsInTable } from '../../invariants/snapshot.ts'
import { packetsInTable } from '../../packets-in-table.ts'
import type { GroundTruth } from '../parts/table.ts'

/** Reads the red packets from the table, and their credits as the wallet API shows them. */
export async function packetsInWallets(
  truth: GroundTruth,
  sale: Sale,
  shoppers: readonly ShopperId[],
): Promise<PacketsInTable | undefined> {
  const packets = await packetsInTable(truth, sale)
  if (packets === undefined) return undefined
  const credits: PacketsInTable['credits'][number][] = []
  for (const shopperId of shoppers) {
    const wallet = await readWallet({ table: truth.table }, shopperId, { all: false })
    for (const { packetId, amount, currency, saleId } of wallet.credits) {
      if (saleId === sale.saleId) credits.push({ shopperId, packetId, amount, currency })
    }
  }
  return { ...packets, credits }
}

/** Formats a finding as a line of the trace, with the broken invariants. */
export function violationIn({ rules, text }: InvariantFinding): string {
  return `${text} (${rules.join(', ')})`
}

/**
 * Returns a function that checks the table against the stock in the sale's definition: a wrong cap must not hide an
 * oversell.
 */
export function ledgerCheck(truth: GroundTruth, saleId: SaleId, violated: (what: string) => void): () => Promise<void> {
  const report = (findings: readonly InvariantFinding[]) => {
    for (const finding of findings) violated(violationIn(finding))
  }
  let claimedWhenClosed: number | undefined
  return async () => {
    const sale = truth.sale(saleId)?.sale
    if (sale === undefined) return
    if (sale.kind !== 'red-packet') return report(findingsAtAnyTime({ sale, orders: truth.orders(saleId) }))
    const table = await packetsInTable(truth, sale)
    if (table === undefined) return
    const packets = { count: sale.stock, totalAmount: allPackets(sale).totalAmount, table }
    report(findingsAtAnyTime({ sale, orders: [], packets }))
    const money = (await saleTotals(truth.table, saleId))?.money
    if (money?.closedAt === undefined) return
    claimedWhenClosed ??= money.claimed
    if (money.claimed !== claimedWhenClosed) {
      violated(`${money.claimed - claimedWhenClosed} were credited after the budget was closed (P8)`)
    }
  }
}
