/**
 * Publishes `current.json`, which every waiting page polls. It must never name a countdown that is not public, and the order
 * writer may see a new version before `control` has published it. So every publisher of a pointer publishes the countdown
 * first.
 */
import type { SaleId } from '../../../core/ids.ts'
import { ownValue } from '../../../core/lib/own-value.ts'
import type { Available } from '../../../core/sale/phase.ts'
import { pointerOf, pointerPath } from '../../../core/sale/pointer.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { VariantUnits } from '../../../core/sale/variants.ts'
import { hasReturnableUnits, readReachable, type StockFacts } from '../../../redis/stock/stock.ts'
import type { VariantCounters } from '../../../redis/stock/units.ts'
import { type ShopContext, type StockPorts, transient } from '../../lib/shop/shop.ts'
import { findSale } from '../../table/sale/sales.ts'
import { publishCountdown } from './countdown.ts'
import { publishLatest } from './publish-latest.ts'

/** Publishes a pointer. Resolves with the units left and the limit per order; undefined for a sale that is gone. */
export type PublishPointer = (saleId: SaleId) => Promise<{ left: Available; maxPerOrder: number } | undefined>

/**
 * Creates the publisher of pointers. `publicVersions` are the countdowns known to be public, so that a refresh costs one put.
 */
export function createPointerPublisher(
  { stock, site, table, clock }: StockPorts & Pick<ShopContext, 'site'>,
  publicVersions = new Map<SaleId, number>(),
): PublishPointer {
  return async (saleId) => {
    let published: Awaited<ReturnType<PublishPointer>>
    const readSnapshot = async () => {
      const at = clock()
      const [record, units] = await Promise.all([findSale(table, saleId), readReachable(stock, saleId)])
      if (record === undefined) return undefined
      const { sale } = record
      if (publicVersions.get(saleId) !== sale.version) {
        await publishCountdown(site, sale)
        publicVersions.set(saleId, sale.version)
      }
      const left = units === undefined ? withoutStock(sale) : unitsLeft(sale, units)
      published = { left, maxPerOrder: sale.maxPerOrder }
      const mayRestock = units !== undefined && hasReturnableUnits(units)
      const pointer = pointerOf(sale, at, left, { variants: variantsLeft(sale, units), mayRestock })
      const { at: _time, ...facts } = pointer
      // Purchases change only the count, and each one publishes. A stock that was added, changed or rebuilt is another state.
      const { remaining, variants, ...shown } = facts
      const state = { ...shown, total: units?.total, stockRevision: units?.stockRevision }
      return { body: JSON.stringify(pointer), facts: JSON.stringify(facts), state: JSON.stringify(state) }
    }
    const object = { path: pointerPath(saleId), contentType: 'application/json', cacheControl: transient }
    await publishLatest(site, object, readSnapshot)
    return published
  }
}

/** Returns the units left without a stock: all before the sale is warmed, none when Redis has lost the stock (I6). */
function withoutStock(sale: Sale): Available {
  return sale.warmed ? 0 : sale.stock
}

/**
 * Returns the units left of each variant, undefined without variants; for a split stock, all units that no shard has booked.
 */
function variantsLeft(sale: Sale, units: StockFacts | undefined): VariantUnits | undefined {
  const { variants, warmed } = sale
  return (
    variants &&
    Object.fromEntries(
      variants.map(({ id, stock }) => {
        const found = ownValue(units?.variants, id)
        const left = units?.isSplit ? stock - booked(found) : (found?.left ?? 0)
        return [id, Math.max(0, units === undefined && !warmed ? stock : left)]
      }),
    )
  )
}

const booked = (found?: VariantCounters) => (found === undefined ? 0 : found.total - found.left)

/** Returns the units left. Units that no shard has yet are left, and so are those of an unavailable shard. */
function unitsLeft(sale: Sale, { isSplit, available, booked }: StockFacts): Available {
  return isSplit ? Math.max(0, sale.stock - booked) : available
}
