/**
 * The facts of each sale by which purchases are decided, remembered under their tag for each
 * connection. reserve.lua says what the tag is for.
 */

import type { SaleId } from '../../core/ids.ts'
import { setBounded } from '../../core/lib/bounded-map.ts'
import type { Commander } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { integer, text } from '../reply.ts'
import { type UnpackedWindow, unpackWindow } from '../stock/packed-window.ts'
import { remainingOf } from '../stock/units.ts'

/** The facts that decide a purchase; `total` in units.ts's units. Any change of them has a new `tag`. */
export type SaleFacts = { tag: string; total: number; stockRevision: number; window: UnpackedWindow }

/** The most times that one purchase is decided: it is decided again when the sale has changed meanwhile. */
export const mostTurns = 5

/** The most sales that are remembered for a connection; a deployed one serves few at a time. */
const mostRemembered = 1000
const remembered = new WeakMap<Commander, Map<SaleId, SaleFacts>>()

/** The facts that Redis last answered with over this connection. */
export function knownFacts(redis: Commander, saleId: SaleId): SaleFacts | undefined {
  return remembered.get(redis)?.get(saleId)
}

export function rememberFacts(redis: Commander, saleId: SaleId, facts: SaleFacts): void {
  const known = remembered.get(redis) ?? new Map<SaleId, SaleFacts>()
  remembered.set(redis, known)
  setBounded(known, saleId, facts, mostRemembered)
}

/**
 * The facts in a reply `stale-facts`: tag, total, stockRevision, packedWindow.
 * @throws UnexpectedReply
 */
export function saleFactsIn([tag, total, stockRevision, packedWindow]: readonly unknown[]): SaleFacts {
  const window = unpackWindow(text(packedWindow, 'packedWindow'))
  if (window === undefined) throw new UnexpectedReply('the packedWindow is not what this version writes')
  return {
    tag: text(tag, 'tag'),
    total: integer(total, 'total'),
    stockRevision: integer(stockRevision, 'stockRevision'),
    window,
  }
}

/**
 * The stock after a purchase: `remaining` is -1 for unlimited stock; `stockRevision` is the revision
 * of the stock, and `booked` how many of its units are taken now. `holdsBack` where nothing is left but units
 * that are held back, so that the stock is not sold out. `goneVariant` is that of the
 * order, if nothing is left of it.
 */
export type StockLeft = {
  remaining: number
  stockRevision: number
  booked: number
  holdsBack?: true
  goneVariant?: string | undefined
}

export function stockLeft({ stockRevision, total }: SaleFacts, left: number): StockLeft {
  return { remaining: remainingOf(left), stockRevision, booked: total - left }
}
