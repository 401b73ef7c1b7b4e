/** Finds one shopper in the draws of sales, where each has an id that follows from a key of its own. */
import { bytesToHex } from '@noble/hashes/utils.js'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Table } from '../lib/shop/table.ts'
import { entrantId } from '../sales/draw/draw-of-sale.ts'
import { readBatch } from '../table/batch.ts'
import { drawKeysKey } from '../table/keys.ts'

/** Where the shopper's entry and offer are in each of the sales that draws; `id` in hexadecimal. @throws when the table is unavailable */
export async function placesInDraws(
  table: Table,
  shopperId: ShopperId,
  saleIds: readonly SaleId[],
): Promise<{ saleId: SaleId; id: string }[]> {
  const byPk = new Map(saleIds.map((saleId) => [drawKeysKey(saleId).pk, saleId]))
  const found = await readBatch(table, saleIds.map(drawKeysKey))
  return found.flatMap(({ pk, ids }) => {
    const saleId = byPk.get(String(pk))
    if (saleId === undefined || !(ids instanceof Uint8Array)) return []
    return [{ saleId, id: bytesToHex(entrantId(ids, shopperId)) }]
  })
}
