/**
 * What a draw keeps of a person, in an export and an erasure: the place on the list of the sale, the entry, and the
 * offer. The published list has nothing but HMACs of ids under a key of the shop.
 */
import type { SaleId } from '../../../core/ids.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { afterSale, type PersonOption } from '../../../functions/people/person-items.ts'
import { readBatch } from '../../../functions/table/batch.ts'
import { type ItemKey, invitedShopperKey } from '../../../functions/table/keys.ts'
import { drawEntryKey, entryParts, offerKey, offersOf } from './keys.ts'
import { placesInDraws } from './table.ts'

const ofDraws = { part: 'draws', fate: afterSale } as const

const invitations: PersonOption = {
  ...{ kind: 'invitedShopper', ...ofDraws },
  find: (table, shopperId, saleIds) =>
    itemsAt(
      table,
      saleIds.map((saleId) => ({ saleId, key: invitedShopperKey(saleId, shopperId) })),
    ),
}

/** Items whose key has the id of the shopper in the draw. */
const inDraws = (
  kind: string,
  keyOf: (saleId: SaleId, id: string) => ItemKey,
  partsOf: (saleId: SaleId) => readonly string[],
): PersonOption => ({
  ...{ kind, ...ofDraws, partsOf },
  async find(table, shopperId, saleIds) {
    const places = await placesInDraws(table, shopperId, saleIds)
    return itemsAt(
      table,
      places.map(({ saleId, id }) => ({ saleId, key: keyOf(saleId, id) })),
    )
  },
})

/** The items with these keys, each with its sale; missing ones are left out. */
async function itemsAt(table: Table, places: readonly { saleId: SaleId; key: ItemKey }[]) {
  const byPk = new Map(places.map(({ saleId, key }) => [key.pk, saleId]))
  const items = await readBatch(
    table,
    places.map(({ key }) => key),
  )
  return items.map((item) => ({ item, saleId: byPk.get(String(item.pk)) }))
}

export const items = [
  invitations,
  inDraws('drawEntry', drawEntryKey, entryParts),
  inDraws('offer', offerKey, (saleId) => [offersOf(saleId)]),
] as const
