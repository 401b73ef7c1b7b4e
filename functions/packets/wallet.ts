/** A shopper's own wallet: the balance in each currency, and the credits and payouts behind it. */

import type { StatementLine, Wallet } from '../../core/api/wallet.ts'
import type { ShopperId } from '../../core/ids.ts'
import { packetIdOf } from '../../core/packets/claim.ts'
import { statementOf } from '../../core/packets/statement.ts'
import type { Shop } from '../lib/shop/shop.ts'
import type { PayoutRecord } from '../table/packets/payouts.ts'
import { type Credit, findWallet } from '../table/packets/wallets.ts'
import type { PayoutTerms } from './payouts.ts'

/** The wallet lists this many of the newest movements, unless all are asked for. The balances include all. */
const maxListed = 100

/** `balanceUrl` is where the shop shows the balances that it holds itself. */
export type WalletPorts = Pick<Shop, 'table'> & {
  payoutTerms: PayoutTerms | undefined
  balanceUrl?: string | undefined
}

export async function readWallet(
  { table, payoutTerms, balanceUrl }: WalletPorts,
  shopperId: ShopperId,
  { all }: { all: boolean },
): Promise<Wallet> {
  const { balances, credits, payouts } = await findWallet(table, shopperId)
  const newest = credits.toSorted((a, b) => b.creditedAt - a.creditedAt || b.claimedAt - a.claimedAt)
  const lines = statementOf<Omit<StatementLine, 'balance'>>([
    ...credits.map(lineOfCredit),
    ...payouts.flatMap(linesOfPayout),
  ])
  return {
    balances,
    credits: newest.slice(0, maxListed).map(viewOf),
    statement: all ? lines : lines.slice(0, maxListed),
    ...(payoutTerms !== undefined && { minimums: payoutTerms.minimums }),
    ...(balanceUrl !== undefined && { balanceUrl }),
  }
}

function viewOf({ saleId, packet, amount, currency, claimedAt, creditedAt }: Credit) {
  return { saleId, packetId: packetIdOf(saleId, packet), amount, currency, claimedAt, creditedAt }
}

function lineOfCredit(credit: Credit): Omit<StatementLine, 'balance'> {
  const { saleId, packetId, amount, currency, creditedAt: at } = viewOf(credit)
  return { kind: 'credit', at, amount, currency, saleId, packetId }
}

/** The money of a refused payout came back, which is a line of its own. */
function linesOfPayout({ payout, end }: PayoutRecord): Omit<StatementLine, 'balance'>[] {
  const { payoutId, amount, currency, requestedAt } = payout
  const state = end?.kind ?? 'requested'
  const left = { kind: 'payout', at: requestedAt, amount: -amount, currency, payoutId, state } as const
  if (end?.kind !== 'refused') return [left]
  const { at, reason } = end
  return [left, { kind: 'returned', at, amount, currency, payoutId, ...(reason && { reason }) }]
}
