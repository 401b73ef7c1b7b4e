/** Red packets in the table: the wallets of their owners, the packets and the cap. */

import type { ShopperId } from '../../../core/ids.ts'
import { packetIdOf } from '../../../core/packets/claim.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { readWallet } from '../../../functions/packets/wallet.ts'
import { creditedClaimPages } from '../../../functions/table/packets/claim-ledger.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import type { OwnedPacket, PacketsInTable, WalletMoney } from '../../invariants/snapshot.ts'
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
  const balances: WalletMoney[] = []
  for (const shopperId of shoppers) {
    const wallet = await readWallet({ table }, shopperId, { all: false })
    for (const { packetId, amount, currency, saleId: of } of wallet.credits) {
      if (of === saleId) credits.push({ shopperId, packetId, amount, currency })
    }
    balances.push(...wallet.balances.map((money) => ({ ...money, shopperId })))
  }
  const owners: OwnedPacket[] = []
  for await (const page of creditedClaimPages(table, saleId)) {
    for (const { shopperId, packet, amount } of page) {
      owners.push({ shopperId, packetId: packetIdOf(saleId, packet), amount })
    }
  }
  return { credits, owners, balances, cap: { ...cap, ...money } }
}
