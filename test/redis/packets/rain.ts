/** A sale of red packets in the tests' Redis. */
import type { OrderId } from '../../../core/ids.ts'
import { claimKey, type RedPacket } from '../../../core/packets/packet.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { deriveOrderId } from '../../../functions/lib/order-id.ts'
import { type ReserveRequest, reserve } from '../../../redis/buy/reserve.ts'
import type { Commander } from '../../../redis/command.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { loadPackets, packetsPerCall } from '../../../redis/packets/packets.ts'
import { list } from '../../../redis/reply.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aPurchase, aSale, raw, shopperIdOf } from '../support.ts'

/** Returns `aSale` with a packet for each of `amounts`, in minor units. */
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

/** Packets of these amounts, numbered from `from` on. */
export const packetsOf = (amounts: readonly number[], from = 0, currency = 'CNY'): RedPacket[] =>
  amounts.map((amount, at) => ({ number: from + at, amount, currency }))

/** Warms such a sale with all its packets, the first of `amounts` to be claimed first. */
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
    const packets = packetsOf(amounts.slice(from, to), from, sale.currency)
    await loadPackets(redis, sale.saleId, { from, to, packets, held: [], moves: undefined })
  }
}

/** The order of the one claim that a shopper has in a sale. */
export const claimIdOf = ({ saleId }: Pick<Sale, 'saleId'>, shopper: number): OrderId =>
  deriveOrderId(saleId, shopperIdOf(shopper), claimKey)

/** A claim of shopper `shopper` at 5,000 with the sale's own token. */
export const aClaim = (sale: Sale, shopper: number, changes: Partial<ReserveRequest> = {}): ReserveRequest =>
  aPurchase(sale, shopper, 1, { orderId: claimIdOf(sale, shopper), isClaim: true, ...changes })

/** `count` shoppers claim one after the other, from shopper `from` on. */
export async function claimAll(redis: Commander, sale: Sale, count: number, from = 0): Promise<void> {
  for (let shopper = from; shopper < from + count; shopper += 1) await reserve(redis, aClaim(sale, shopper))
}

/** The packets that can be claimed, the next one first. */
export async function waitingPackets(redis: Commander, { saleId }: Pick<Sale, 'saleId'>): Promise<RedPacket[]> {
  const packets = list(await raw(redis, 'LRANGE', stockKeys(saleId).packets, '0', '-1'), 'packets')
  return packets.toReversed().map((packet) => JSON.parse(String(packet)))
}
