/**
 * Red packets in the table: the orders that credit them, whose each packet is, the wallets and the cap; and the invariants
 * of the table that hold after every write (I1, I3).
 */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { holdsUnits } from '../../../core/orders/order.ts'
import { packetIdOf } from '../../../core/packets/packet.ts'
import { wholeOf } from '../../../core/packets/packets.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { readWallet } from '../../../functions/packets/wallet.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import type { Finding } from '../../invariants/findings.ts'
import { findingsAtAnyTime } from '../../invariants/invariants.ts'
import type { OwnedPacket, PacketsInTable } from '../../invariants/snapshot.ts'
import type { GroundTruth } from '../parts/table.ts'

/** Undefined before the sale has a cap. */
export async function packetsInTable(truth: GroundTruth, { saleId }: Sale): Promise<PacketsInTable | undefined> {
  const totals = await saleTotals(truth.table, saleId)
  if (totals === undefined) return undefined
  const { money = { budget: 0, claimed: 0 }, ...cap } = totals
  const orders = truth.orders(saleId).filter(({ status }) => holdsUnits(status))
  const credits = orders.flatMap(({ shopperId, packet }) => {
    if (packet === undefined) return []
    const { number, ...money } = packet
    return [{ shopperId, packetId: packetIdOf(saleId, number), ...money }]
  })
  const byOrder = new Map(orders.map((order) => [order.orderId, order]))
  const owners = truth.packets(saleId).map(({ number, orderId }): OwnedPacket => {
    const { shopperId = 'unknown', packet } = byOrder.get(orderId) ?? {}
    return { packetId: packetIdOf(saleId, number), shopperId, amount: packet?.amount ?? 0 }
  })
  return { credits, owners, cap: { ...cap, ...money } }
}

/** The same with the credits as the wallet API shows them, whose list lags a moment behind. */
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
