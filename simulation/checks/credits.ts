/** Invariants of red packets in the table that hold at every moment (P3, P8, I1). */
import { packetIdOf } from '../../core/claim.ts'
import type { ShopperId } from '../../core/ids.ts'
import { wholeOf } from '../../core/packets.ts'
import type { Sale } from '../../core/sale.ts'
import { readWallet } from '../../functions/packets/wallet.ts'
import type { GroundTruth } from '../parts/table.ts'

/** A packet in the wallet of its owner. */
export type WalletPacket = { shopperId: ShopperId; packetId: string; amount: number; currency: string }

/** The packets of `sale` in the wallets of `shoppers`, as the wallet API shows them. */
export async function creditsOf(
  { wallets }: GroundTruth,
  { saleId }: Sale,
  shoppers: readonly ShopperId[],
): Promise<WalletPacket[]> {
  const credits: WalletPacket[] = []
  for (const shopperId of shoppers) {
    const wallet = await readWallet({ wallets, payoutTerms: undefined }, shopperId, {
      all: false,
    })
    const ofSale = wallet.credits.filter((credit) => credit.saleId === saleId)
    credits.push(
      ...ofSale.map(({ packetId, amount, currency }) => ({ shopperId, packetId, amount, currency })),
    )
  }
  return credits
}

/**
 * Reports violations: a packet has one owner and a shopper one packet, and wallets, packets and cap
 * agree on the money, never above the budget.
 */
export async function checkCredits(
  truth: GroundTruth,
  sale: Sale,
  shoppers: readonly ShopperId[],
  violated: (what: string) => void,
): Promise<void> {
  const { saleId } = sale
  const totals = await truth.saleOrders.totals(saleId)
  if (totals === undefined) return
  const { money, sold, orders } = totals
  if (money === undefined) return violated(`the cap of ${saleId} has no budget`)
  const same = (what: string, is: number, should: number) => {
    if (is !== should) violated(`${what} is ${is} and should be ${should} (P8)`)
  }
  const credits = await creditsOf(truth, sale, shoppers)
  const owners = Map.groupBy(credits, ({ packetId }) => packetId)
  for (const [packetId, some] of owners) {
    if (some.length > 1) violated(`${packetId} is in ${some.length} wallets (P3)`)
  }
  for (const [shopperId, some] of Map.groupBy(credits, (credit) => credit.shopperId)) {
    if (some.length > 1) violated(`${shopperId} was credited ${some.length} times (P3)`)
  }
  let owned = 0
  for await (const page of truth.claimLedger.pages(saleId)) {
    for (const { shopperId, packet } of page) {
      owned += 1
      const [owner] = owners.get(packetIdOf(saleId, packet)) ?? []
      if (owner?.shopperId !== shopperId)
        violated(`packet ${packet} is not in the wallet of ${shopperId} (P3)`)
    }
  }
  same('packets with an owner', owned, credits.length)
  same('sold at the cap', sold, credits.length)
  same('claims at the cap', orders, credits.length)
  const sum = credits.reduce((total, { amount }) => total + amount, 0)
  same('claimed at the cap', money.claimed, sum)
  same('the budget', money.budget, wholeOf(sale).totalAmount)
  same('what wallets hold and have paid out', await moneyOf(truth, sale, shoppers), sum)
  if (credits.length > sale.stock) violated(`${credits.length} packets of ${sale.stock} are credited (I1)`)
  if (sum > money.budget) violated(`${sum} of a budget of ${money.budget} is credited (I1)`)
}

/** The balances, and the payouts that were not refused. */
async function moneyOf(
  { wallets }: GroundTruth,
  { currency }: Sale,
  shoppers: readonly ShopperId[],
): Promise<number> {
  let sum = 0
  for (const shopperId of shoppers) {
    const { balances, payouts } = await wallets.of(shopperId)
    const gone = payouts.filter(({ end }) => end?.kind !== 'refused').map(({ payout }) => payout)
    for (const money of [...balances, ...gone]) sum += money.currency === currency ? money.amount : 0
  }
  return sum
}
