/**
 * The keys of draws in the table:
 *   DRAWS                     <saleId>  a warmed sale that draws its units, until its end
 *   DRAW#<saleId>             KEYS      the secret keys of the draw: `ids` of entrants, `signing`
 *   DRAW#<saleId>             STATE     how far the draw is, and what its last head says
 *   ENTRIES#<saleId>#<digit>  <id>      an entrant by the id in the list, whose first digit it is: `shopperId`, how many
 *                                       `changes`, and `variant` and `receipt` of the last one
 *   OFFERS#<saleId>           <id>      the unit that an entrant was offered, `until` when; `endedAt` once it is given back
 */
import type { SaleId } from '../../../core/ids.ts'
import type { ItemKey } from '../../../functions/table/keys.ts'

export const drawsPk = 'DRAWS'
export const drawListKey = (saleId: SaleId): ItemKey => ({ pk: drawsPk, sk: saleId })
export const drawPrefix = 'DRAW#'
export const drawKeysKey = (saleId: SaleId): ItemKey => ({ pk: drawPrefix + saleId, sk: 'KEYS' })
export const drawStateKey = (saleId: SaleId): ItemKey => ({ pk: drawPrefix + saleId, sk: 'STATE' })
export const entriesPrefix = 'ENTRIES#'
/** The entries of a sale in parts, because a partition takes 1,000 writes a second. */
export const entryParts = (saleId: SaleId): string[] =>
  [...'0123456789abcdef'].map((digit) => `${entriesPrefix}${saleId}#${digit}`)
/** `id` in hexadecimal. */
export const drawEntryKey = (saleId: SaleId, id: string): ItemKey => ({
  pk: `${entriesPrefix}${saleId}#${id.slice(0, 1)}`,
  sk: id,
})
export const offersPrefix = 'OFFERS#'
export const offersOf = (saleId: SaleId): string => offersPrefix + saleId
/** Which sale the partition of offers names, unchecked. */
export const saleOfOffers = (pk: string): string => pk.slice(offersPrefix.length)
export const offerKey = (saleId: SaleId, id: string): ItemKey => ({ pk: offersOf(saleId), sk: id })
