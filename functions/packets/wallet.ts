/** A shopper's own wallet: what it holds in each currency, and the credits that brought it there. */
import { packetIdOf } from '../../core/claim.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Money } from '../../core/money.ts'

/** A packet that was credited. Times are epoch ms; `amount` is in minor units. */
export type Credit = Money & { saleId: SaleId; packet: number; claimedAt: number; creditedAt: number }

/** Reads see every credit that was answered. Throws when the table is unavailable. */
export type Wallets = {
  of: (shopperId: ShopperId) => Promise<{ balances: readonly Money[]; credits: readonly Credit[] }>
}

export type Ports = { wallets: Wallets }

export type WalletView = {
  balances: readonly Money[]
  credits: readonly (Omit<Credit, 'packet'> & { packetId: string })[]
}

/** A wallet shows so many of the newest. The balances hold all. */
const maxListed = 100

export async function readWallet({ wallets }: Ports, shopperId: ShopperId): Promise<WalletView> {
  const { balances, credits } = await wallets.of(shopperId)
  const newest = credits.toSorted((a, b) => b.creditedAt - a.creditedAt || b.claimedAt - a.claimedAt)
  return { balances, credits: newest.slice(0, maxListed).map(viewOf) }
}

function viewOf({ saleId, packet, amount, currency, claimedAt, creditedAt }: Credit) {
  return { saleId, packetId: packetIdOf(saleId, packet), amount, currency, claimedAt, creditedAt }
}
