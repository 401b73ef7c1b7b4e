/** Whether a shopper has claimed a red packet of a sale, also after its answer was lost. */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { packetIdOf } from '../../core/packets/claim.ts'
import { claimOfShopper } from '../../redis/packets/stored-claims.ts'
import type { StockPorts } from '../lib/shop/shop.ts'
import { findCredit } from '../table/packets/wallets.ts'
import { findSale } from '../table/sale/sales.ts'

/** `claimedAt` is epoch ms, `amount` in minor units. */
type Packet = { packetId: string; amount: number; currency: string; claimedAt: number }

/** `packet` is null for a shopper without one. `unsure`: the stock was lost, and claims may not all be back. */
export type ClaimFound = { kind: 'known'; packet: Packet | null } | { kind: 'unsure' | 'unknown-sale' }

/**
 * Costs three reads of Redis for each shard. The table is read only where Redis does not know: an archived sale has left it,
 * and by then every claim is credited.
 * @throws when Redis or the table is unavailable
 */
export async function findOwnClaim(
  { stock, table }: Pick<StockPorts, 'stock' | 'table'>,
  shopperId: ShopperId,
  saleId: SaleId,
): Promise<ClaimFound> {
  const claim = await claimOfShopper(stock, saleId, shopperId)
  if (claim === 'none') return { kind: 'known', packet: null }
  const kept = claim === 'unknown' ? await findCredit(table, shopperId, saleId) : claim
  if (kept !== undefined) {
    const { packet, amount, currency, claimedAt } = kept
    return { kind: 'known', packet: { packetId: packetIdOf(saleId, packet), amount, currency, claimedAt } }
  }
  const record = await findSale(table, saleId)
  if (record === undefined) return { kind: 'unknown-sale' }
  const { archivedAt, epoch } = record.sale
  // A sale that was never started has given nothing away.
  return archivedAt !== undefined || epoch === 0 ? { kind: 'known', packet: null } : { kind: 'unsure' }
}
