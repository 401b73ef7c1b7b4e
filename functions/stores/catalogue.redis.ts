/** The catalogue in the gate's store. */
import type { Commander } from '../../redis/command.ts'
import { listSale, publishFilter, readListVersions, readSales } from '../../redis/shared-lists.ts'
import type { Catalogue } from '../sales/publishing/catalogue.ts'

export function redisCatalogue(gate: Commander): Catalogue {
  return {
    async read() {
      // The filter first: if the list changed in between, its filter only looks outdated, and is
      // rebuilt.
      const { filter } = await readListVersions(gate)
      return { filterVersion: filter, ...(await readSales(gate)) }
    },
    async isCurrent() {
      const { sales, filter } = await readListVersions(gate)
      return filter >= sales
    },
    list: (saleId, listed, now) => listSale(gate, saleId, listed, now),
    publish: (filter, listVersion, now) => publishFilter(gate, filter, listVersion, now),
  }
}
