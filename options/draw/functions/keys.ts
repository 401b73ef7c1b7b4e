/**
 * The keys of draws in the table:
 *   DRAWS                     <saleId>  a warmed sale that draws its units, until its end
 *   DRAW#<saleId>             KEYS      the secret keys of the draw: `ids` of entrants, `signing`
 *   DRAW#<saleId>             STATE     the phase of the draw, its times and its round
 *   ENTRIES#<saleId>#<digit>  <id>      an entrant by the id in the list, whose first digit it is: `shopperId`, how many
 *                                       `changes`, and `variant` and `receipt` of the last one
 *   OFFERS#<saleId>           <id>      the unit that an entrant was offered, `until` when; `endedAt` once it was returned
 */
import type { SaleId } from '../../../core/ids.ts'
import type { ItemKey } from '../../../functions/table/keys.ts'

export const drawsPk = 'DRAWS'
export const drawListKey = (saleId: SaleId): ItemKey => ({ pk: drawsPk, sk: saleId })
export const drawPrefix = 'DRAW#'
export const drawKeysKey = (saleId: SaleId): ItemKey => ({ pk: drawPrefix + saleId, sk: 'KEYS' })
export const drawStateKey = (saleId: SaleId): ItemKey => ({ pk: drawPrefix + saleId, sk: 'STATE' })
export const entriesPrefix = 'ENTRIES#'
/** Returns the partitions of the entries of a sale; there are several, because each takes 1,000 writes a second. */
export const entryParts = (saleId: SaleId): string[] =>
  [...'0123456789abcdef'].map((digit) => `${entriesPrefix}${saleId}#${digit}`)
/** `id` is hexadecimal. */
export const drawEntryKey = (saleId: SaleId, id: string): ItemKey => ({
  pk: `${entriesPrefix}${saleId}#${id.slice(0, 1)}`,
  sk: id,
})
export const offersPrefix = 'OFFERS#'
export const offersOf = (saleId: SaleId): string => offersPrefix + saleId
/** Returns the sale in the partition key of offers, not validated. */
export const saleOfOffers = (pk: string): string => pk.slice(offersPrefix.length)
export const offerKey = (saleId: SaleId, id: string): ItemKey => ({ pk: offersOf(saleId), sk: id })
