/** A shopper's own wallet: the balance in each currency, and the credits behind it. */
import type { Wallet } from '../../core/api/shop.ts'
import { packetIdOf } from '../../core/claim.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Money } from '../../core/money.ts'

/** A credited packet. Times are epoch ms; `amount` is in minor units. */
export type Credit = Money & { saleId: SaleId; packet: number; claimedAt: number; creditedAt: number }

/**
 * Strongly consistent.
 * @throws when the table is unavailable
 */
export type Wallets = {
  of: (shopperId: ShopperId) => Promise<{ balances: readonly Money[]; credits: readonly Credit[] }>
}

export type WalletPorts = { wallets: Wallets }

/** The wallet lists this many of the newest credits. The balances include all. */
const maxListed = 100

export async function readWallet({ wallets }: WalletPorts, shopperId: ShopperId): Promise<Wallet> {
  const { balances, credits } = await wallets.of(shopperId)
  const newest = credits.toSorted((a, b) => b.creditedAt - a.creditedAt || b.claimedAt - a.claimedAt)
  return { balances, credits: newest.slice(0, maxListed).map(viewOf) }
}

function viewOf({ saleId, packet, amount, currency, claimedAt, creditedAt }: Credit) {
  return { saleId, packetId: packetIdOf(saleId, packet), amount, currency, claimedAt, creditedAt }
}
