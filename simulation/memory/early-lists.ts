/** The lists of sales for early access in memory, as the table has them. */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { EarlyLists } from '../../functions/repair/early-list.ts'
import { outage, type Switchable } from './outage.ts'

export function memoryEarlyLists(): EarlyLists & Switchable {
  const light = outage('DynamoDB')
  const lists = new Map<SaleId, Set<ShopperId>>()
  const listOf = (saleId: SaleId) => {
    light.pass()
    const list = lists.get(saleId) ?? new Set<ShopperId>()
    lists.set(saleId, list)
    return list
  }
  return {
    ...light,
    async among(saleId, shopperIds) {
      const list = listOf(saleId)
      return new Set(shopperIds.filter((shopperId) => list.has(shopperId)))
    },
    async add(saleId, shopperIds) {
      for (const shopperId of shopperIds) listOf(saleId).add(shopperId)
    },
    async remove(saleId, shopperIds) {
      for (const shopperId of shopperIds) listOf(saleId).delete(shopperId)
    },
    all: async (saleId) => [...listOf(saleId)].sort(),
  }
}
