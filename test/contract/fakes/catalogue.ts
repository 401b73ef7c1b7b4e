/** The catalogue of the gate in memory, by the rules of list-sale.lua and publish-filter.lua. */
import type { SaleId } from '../../../core/ids.ts'
import { openSaleFilter } from '../../../core/sale-filter.ts'
import type { Catalogue } from '../../../functions/sales/publishing/catalogue.ts'
import { outage, type Switchable } from '../../../simulation/memory/outage.ts'

/**
 * `mayHold` asks the published filter and is undefined when there is none; `published` counts the
 * stored filters.
 */
export type MemoryCatalogue = Catalogue &
  Switchable & {
    saleIds: Set<SaleId>
    mayHold: (saleId: string) => boolean | undefined
    readonly published: number
    lose: () => void
  }

export function memoryCatalogue(): MemoryCatalogue {
  const light = outage('the gate')
  const saleIds = new Set<SaleId>()
  let versions = { sales: 0, filter: 0 }
  let filter: Uint8Array | undefined
  let published = 0
  return {
    ...light,
    saleIds,
    get published() {
      return published
    },
    mayHold: (saleId) => (filter === undefined ? undefined : openSaleFilter(filter)?.mayHold(saleId)),
    lose() {
      saleIds.clear()
      versions = { sales: 0, filter: 0 }
      filter = undefined
    },
    async read() {
      light.pass()
      return { listVersion: versions.sales, filterVersion: versions.filter, saleIds: [...saleIds] }
    },
    async isCurrent() {
      light.pass()
      return versions.filter >= versions.sales
    },
    async list(saleId, listed, now) {
      light.pass()
      if (saleIds.has(saleId) === listed) return false
      if (listed) saleIds.add(saleId)
      else saleIds.delete(saleId)
      versions.sales = Math.max(versions.sales + 1, versions.filter + 1, now)
      return true
    },
    async publish(bytes, listVersion, now) {
      light.pass()
      if (listVersion !== versions.sales) return 'moved'
      filter = bytes
      published += 1
      versions.filter = Math.max(versions.filter + 1, listVersion, now)
      return 'published'
    },
  }
}
