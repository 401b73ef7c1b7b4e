/** Cursors for lists of sales, which are sorted by start and id, both descending. */
import { parseSaleId } from '../ids.ts'
import type { Sale } from './sale.ts'

export type SalePlace = Pick<Sale, 'startsAt' | 'saleId'>

export function comesAfter(place: SalePlace, other: SalePlace): boolean {
  if (place.startsAt !== other.startsAt) return place.startsAt < other.startsAt
  return place.saleId < other.saleId
}

/** Returns the position as the `next` of a page of sales. */
export function cursorOfSale({ startsAt, saleId }: SalePlace): string {
  return `${startsAt}.${saleId}`
}

/** Returns the position in the `next` of a page; undefined for other text. */
export function placeInCursor(cursor: string): SalePlace | undefined {
  const [, startsAt, id] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? []
  const saleId = parseSaleId(id)
  return saleId === undefined ? undefined : { startsAt: Number(startsAt), saleId }
}
