/** Red packets in the table: the wallets of their owners, the orders and the cap. */

import type { ShopperId } from '../../../core/ids.ts'
import { holdsUnits } from '../../../core/orders/order.ts'
import { packetIdOf } from '../../../core/packets/packet.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { readWallet } from '../../../functions/packets/wallet.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import type { PacketsInTable } from '../../invariants/snapshot.ts'
import type { GroundTruth } from '../parts/table.ts'

/** Undefined before the sale has a cap. Credits are as the wallet API shows them. */
export async function packetsInTable(
  truth: GroundTruth,
  { saleId }: Sale,
  shoppers: readonly ShopperId[],
): Promise<PacketsInTable | undefined> {
  const { table } = truth
  const totals = await saleTotals(table, saleId)
  if (totals === undefined) return undefined
  const { money = { budget: 0, claimed: 0 }, ...cap } = totals
  const credits: PacketsInTable['credits'][number][] = []
  for (const shopperId of shoppers) {
    const wallet = await readWallet({ table }, shopperId, { all: false })
    for (const { packetId, amount, currency, saleId: of } of wallet.credits) {
      if (of === saleId) credits.push({ shopperId, packetId, amount, currency })
    }
  }
  const standing = truth.orders(saleId).filter(({ status }) => holdsUnits(status))
  const owners = standing.flatMap(({ shopperId, packet }) =>
    packet === undefined ? [] : [{ shopperId, packetId: packetIdOf(saleId, packet.number), amount: packet.amount }],
  )
  return { credits, owners, cap: { ...cap, ...money } }
}
