/** The catalogue of the gate in memory, by the rules of list-sale.lua and publish-filter.lua. */
import type { SaleId } from '../../../core/ids.ts'
import { openSaleFilter } from '../../../core/sale-filter.ts'
import type { Catalogue } from '../../../functions/sales/publishing/catalogue.ts'
import { darkness, type Switchable } from '../../../simulation/memory/darkness.ts'

/** `mayHold` asks the published filter and is undefined when there is none; `published` counts the filters stored. */
export type MemoryCatalogue = Catalogue &
  Switchable & {
    saleIds: Set<SaleId>
    mayHold: (saleId: string) => boolean | undefined
    readonly published: number
    lose: () => void
  }

export function memoryCatalogue(): MemoryCatalogue {
  const light = darkness('the gate')
  const saleIds = new Set<SaleId>()
  let editions = { sales: 0, filter: 0 }
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
      editions = { sales: 0, filter: 0 }
      filter = undefined
    },
    async read() {
      light.pass()
      return { edition: editions.sales, filterEdition: editions.filter, saleIds: [...saleIds] }
    },
    async isCurrent() {
      light.pass()
      return editions.filter >= editions.sales
    },
    async list(saleId, listed, now) {
      light.pass()
      if (saleIds.has(saleId) === listed) return false
      if (listed) saleIds.add(saleId)
      else saleIds.delete(saleId)
      editions.sales = Math.max(editions.sales + 1, editions.filter + 1, now)
      return true
    },
    async publish(bytes, edition, now) {
      light.pass()
      if (edition !== editions.sales) return 'moved'
      filter = bytes
      published += 1
      editions.filter = Math.max(editions.filter + 1, edition, now)
      return 'published'
    },
  }
}
