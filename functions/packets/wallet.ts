/** Reads a shopper's own wallet: its credits, and their sum in each currency. */

import { type Wallet, type WalletCredit, walletApi } from '../../core/api/wallet.ts'
import type { ShopperId } from '../../core/ids.ts'
import { packetIdOf } from '../../core/packets/packet.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { type Credit, findCredits } from '../table/packets/wallets.ts'

/** The wallet lists this many of the newest credits, unless the caller requests all. The balances include all. */
const maxListed = 100

/** `balanceUrl` is where the shop shows the balances that it holds itself. */
export type WalletPorts = Pick<ShopContext, 'table'> & { balanceUrl?: string | undefined }

const routes = [
  on(walletApi.getWallet, async (ports: WalletPorts, { caller, query }) =>
    readWallet(ports, caller.shopperId, { all: query.credits === 'all' }),
  ),
]

/** Answers `GET /api/wallet`, about the caller's own wallet. */
export const walletApp = (ports: WalletPorts) => createApp(ports, routes, forShoppers)

/** Reads the wallet. `credit` is a credit that the index may not list yet. */
export async function readWallet(
  { table, balanceUrl }: WalletPorts,
  shopperId: ShopperId,
  { all, credit }: { all: boolean; credit?: Credit | undefined },
): Promise<Wallet> {
  const listed = await findCredits(table, shopperId)
  const isListed = credit === undefined || listed.some(({ saleId }) => saleId === credit.saleId)
  const views = withBalances(isListed ? listed : [...listed, credit])
  const newest = Map.groupBy(views, ({ currency }) => currency).values()
  const last = [...newest].flatMap(([credit]) => credit ?? []).sort((a, b) => (a.currency < b.currency ? -1 : 1))
  const balances = last.map(({ currency, balance: amount }) => ({ currency, amount }))
  return { balances, credits: all ? views : views.slice(0, maxListed), ...(balanceUrl !== undefined && { balanceUrl }) }
}

/** Returns the credits, newest first, each with the balance of its currency after it. */
function withBalances(credits: readonly Credit[]): WalletCredit[] {
  const balances = new Map<string, number>()
  return credits
    .toSorted((a, b) => a.creditedAt - b.creditedAt || a.claimedAt - b.claimedAt)
    .map(({ saleId, packet, amount, currency, claimedAt, creditedAt }) => {
      const balance = (balances.get(currency) ?? 0) + amount
      balances.set(currency, balance)
      return { saleId, packetId: packetIdOf(saleId, packet), amount, currency, claimedAt, creditedAt, balance }
    })
    .reverse()
}
