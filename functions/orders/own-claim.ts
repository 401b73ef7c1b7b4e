/** Finds the red packet that a shopper has claimed in a sale, also when the answer to the claim was lost. */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { claimKey, packetIdOf } from '../../core/packets/packet.ts'
import type { Stocks } from '../../redis/command.ts'
import { readHold, readStock } from '../../redis/stock/stock.ts'
import { deriveOrderId } from '../lib/order-id.ts'
import type { StockPorts } from '../lib/shop/shop.ts'
import { findCredit } from '../table/packets/wallets.ts'
import { findSale } from '../table/sale/sales.ts'

/** `claimedAt` is epoch ms, `amount` in minor units. */
type ClaimedPacket = { packetId: string; amount: number; currency: string; claimedAt: number }

/** `packet` is null for a shopper without one. `unsure`: the stock was lost, and some claims may still be missing. */
export type ClaimFound = { kind: 'known'; packet: ClaimedPacket | null } | { kind: 'unsure' | 'unknown-sale' }

/**
 * Finds the claim in Redis first. Reads the table only when Redis is not certain: an archived sale is no longer in Redis,
 * and all its claims are credited by then. Checks the stock before and after reading the hold, so that a stock that is
 * lost or recovered in between does not count as complete.
 * @throws when Redis or the table is unavailable
 */
export async function findOwnClaim(
  { stock, table }: Pick<StockPorts, 'stock' | 'table'>,
  shopperId: ShopperId,
  saleId: SaleId,
): Promise<ClaimFound> {
  const wasIntact = await isIntact(stock, saleId)
  const hold = await readHold(stock, deriveOrderId(saleId, shopperId, claimKey), shopperId)
  if (hold?.packet !== undefined) {
    const { number, amount, currency } = hold.packet
    return known({ packetId: packetIdOf(saleId, number), amount, currency, claimedAt: hold.reservedAt })
  }
  if (wasIntact && (await isIntact(stock, saleId))) return known(null)
  const credit = await findCredit(table, shopperId, saleId)
  if (credit !== undefined) {
    const { packet, amount, currency, claimedAt } = credit
    return known({ packetId: packetIdOf(saleId, packet), amount, currency, claimedAt })
  }
  const record = await findSale(table, saleId)
  if (record === undefined) return { kind: 'unknown-sale' }
  const { archivedAt, epoch } = record.sale
  // A sale that never started has no claims.
  return archivedAt !== undefined || epoch === 0 ? known(null) : { kind: 'unsure' }
}

const known = (packet: ClaimedPacket | null): ClaimFound => ({ kind: 'known', packet })

/** False while the stock is missing or frozen, or holds back packets of orders that may have been lost with it. */
async function isIntact(stock: Stocks, saleId: SaleId): Promise<boolean> {
  const facts = await readStock(stock, saleId)
  return facts !== undefined && !facts.frozen && facts.heldBack === 0
}
