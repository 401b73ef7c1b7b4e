/** A sale of red packets in the tests' Redis. */
import type { Sale } from '../../../core/sale/sale.ts'
import type { Commander } from '../../../redis/command.ts'
import { claim, type Tap } from '../../../redis/packets/claim.ts'
import { loadPackets, packetsPerCall } from '../../../redis/packets/packets.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aSale, shopperIdOf } from '../support.ts'

/** As `aSale`, with a packet for each of `amounts`, in minor units. */
export function aRain(amounts: readonly number[], changes: Partial<Sale> = {}): Sale {
  const count = amounts.length
  return aSale({
    kind: 'red-packet',
    price: 0,
    stock: count,
    limitPerShopper: 1,
    maxPerOrder: 1,
    packets: { count, totalAmount: amounts.reduce((sum, amount) => sum + amount, 0) },
    ...changes,
  })
}

/** The same, warmed with all its packets, the first of `amounts` to be claimed first. */
export async function aWarmRain(
  redis: Commander,
  amounts: readonly number[],
  changes: Partial<Sale> = {},
): Promise<Sale> {
  const sale = aRain(amounts, changes)
  await loadRain(redis, sale, amounts)
  return sale
}

/** Warms `sale` and loads its packets. */
export async function loadRain(redis: Commander, sale: Sale, amounts: readonly number[]): Promise<void> {
  await warmStock(redis, sale)
  for (let from = 0; from < amounts.length; from += packetsPerCall) {
    const to = Math.min(from + packetsPerCall, amounts.length)
    const packets = amounts.slice(from, to).map((amount, at) => ({ rank: from + at + 1, packet: from + at, amount }))
    await loadPackets(redis, sale.saleId, { from, to, packets, currency: sale.currency, held: [], rebuilding: false })
  }
}

/** A tap of shopper `shopper` at 5,000 with the sale's own token. */
export function aTap(sale: Sale, shopper: number, changes: Partial<Tap> = {}): Tap {
  return {
    saleId: sale.saleId,
    shopperId: shopperIdOf(shopper),
    startToken: sale.startToken ?? '',
    now: 5_000,
    requestId: `request-${shopper}`,
    ...changes,
  }
}

/** `count` shoppers tap one after the other, from shopper `from` on. */
export async function tapAll(redis: Commander, sale: Sale, count: number, from = 0): Promise<void> {
  for (let shopper = from; shopper < from + count; shopper += 1) await claim(redis, aTap(sale, shopper))
}
