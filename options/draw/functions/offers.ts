/** What entrants of a draw were offered: an item each, which its page reads and the draw ends. */
import * as z from 'zod/mini'
import { parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import type { Table } from '../../../functions/lib/shop/table.ts'
import { putBatch, readBatch } from '../../../functions/table/batch.ts'
import { findItem, readStored } from '../../../functions/table/dynamodb.ts'
import { buyerKey, offerKey, offersOf } from '../../../functions/table/keys.ts'
import { allOf } from '../../../functions/table/query.ts'

/**
 * `entry` is the number of the record in the list; `variant` the id of that of the unit, in a sale that has some. Times
 * are epoch ms. `boughtAt`: an order was seen. `endingAt`: since then its shopper is off the list of the sale, and the
 * unit is given back once no click can be on its way. `endedAt`: it is.
 */
const offer = z.object({
  entry: z.number(),
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  variant: z.optional(z.string()),
  at: z.number(),
  until: z.number(),
  boughtAt: z.optional(z.number()),
  endingAt: z.optional(z.number()),
  endedAt: z.optional(z.number()),
})
type Offered = z.infer<typeof offer>
/** With the id of the entrant in hexadecimal. */
export type HeldOffer = Offered & { id: string }

/** @throws when the table is unavailable, UnexpectedItem */
export async function findOffer(table: Table, saleId: SaleId, id: string): Promise<HeldOffer | undefined> {
  const item = await findItem(table, offerKey(saleId, id))
  return item && readOffer(item)
}

/** The offers of these entrants, in any sales; missing ones are left out. No place twice. @throws as `findOffer` */
export async function offersAt(
  table: Table,
  places: readonly { saleId: SaleId; id: string }[],
): Promise<(HeldOffer & { saleId: SaleId })[]> {
  const byPk = new Map(places.map(({ saleId }) => [offersOf(saleId), saleId]))
  const items = await readBatch(
    table,
    places.map(({ saleId, id }) => offerKey(saleId, id)),
  )
  return items.flatMap((item) => {
    const saleId = byPk.get(String(item.pk))
    return saleId === undefined ? [] : [{ ...readOffer(item), saleId }]
  })
}

/** All offers of a draw that were ever made. */
export async function allOffers(table: Table, saleId: SaleId): Promise<HeldOffer[]> {
  const items = await allOf(table, offersOf(saleId))
  return items.map(readOffer)
}

function readOffer(item: Record<string, unknown>): HeldOffer {
  return { ...readStored('an offer of a draw', offer, item), id: String(item.sk) }
}

/** Writes offers, also over present ones: the lock of the sale keeps a second writer away. */
export function saveOffers(table: Table, saleId: SaleId, offers: readonly HeldOffer[]): Promise<void> {
  return putBatch(
    table,
    offers.map(({ id, ...rest }) => ({ ...offerKey(saleId, id), ...rest })),
  )
}

/** What became of the orders of these shoppers in the sale: `standing` has units, `ended` had some; others are missing. */
export async function ordersAmong(
  table: Table,
  saleId: SaleId,
  shopperIds: readonly ShopperId[],
): Promise<ReadonlyMap<ShopperId, 'standing' | 'ended'>> {
  const wanted = new Map(shopperIds.map((shopperId) => [buyerKey(saleId, shopperId).pk, shopperId]))
  const items = await readBatch(
    table,
    shopperIds.map((shopperId) => buyerKey(saleId, shopperId)),
  )
  return new Map(
    items.flatMap(({ pk, quantity }) => {
      const shopperId = wanted.get(String(pk))
      return shopperId === undefined ? [] : [[shopperId, Number(quantity) > 0 ? 'standing' : 'ended'] as const]
    }),
  )
}
