/**
 * An order book that sells from one part of each cap, so that the transactions of several writers do not meet at one
 * item, where DynamoDB cancels one of two that overlap. A writer uses the first part until it meets another writer
 * there, then one drawn at random. Only at the end of the stock it sells from several parts.
 *
 * An order is over the cap only after three steps: a part refuses it, all parts together have too few units at one
 * moment, and a part refuses it again. A refusal names duplicates first, so the second one shows that no other writer
 * had written the same order by that moment and taken its units.
 *
 * The cap of a sale with variants or red packets is one part, whose own refusal is that proof.
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import { type CapUnits, capPartCount, firstCapPart, takeUnits } from '../../core/orders/cap-part.ts'
import type { Order } from '../../core/orders/order.ts'
import { maxItems } from '../lib/group-commit.ts'
import type { Table } from '../lib/shop/shop.ts'
import { itemsPerOrder, type OrderEntry } from '../table/orders/order-entry.ts'
import type { CommitRefusal, OrderWriter, Written } from '../table/orders/order-writer.ts'
import { findCapParts, findCapPartsSnapshot, moveCapUnits, type TableFailure } from '../table/stock/cap-parts.ts'

export type BookInPartsPorts = { book: OrderWriter; table: Table; random: () => number }

/** Sales whose parts are remembered. A forgotten one begins at the first part again. */
const maxSales = 1000

/** Other writers may take the units that one has found, so it pauses after some tries. */
const maxTries = 3

/** The units of one sale that the orders of a chunk want together. */
type Asked = Wanted & { saleId: SaleId }

/** `short`: all parts together had only `left` units. */
type Found = { kind: 'found' } | { kind: 'short'; left: number } | TableFailure

export function bookInParts({ book, table, random }: BookInPartsPorts): OrderWriter {
  /** The parts that this writer sells from. The last one is its own. */
  const chosen = new QuickLRU<SaleId, readonly Place[]>({ maxSize: maxSales })
  const placesOf = (saleId: SaleId) => chosen.get(saleId) ?? [unknown(firstCapPart)]
  const ownPart = (saleId: SaleId) => placesOf(saleId).at(-1)?.part ?? firstCapPart

  /** Finds parts that have units for the orders, or moves units to the own part. */
  const find = async (asked: Asked): Promise<Found> => {
    const { saleId } = asked
    const seen = await findCapParts(table, saleId)
    if (seen.kind !== 'parts') return seen
    // Every part of an unlimited stock is enough.
    if (seen.units === undefined) return { kind: 'found' }
    const plan = planFor(seen.units, ownPart(saleId), asked, random)
    if (plan.kind === 'short') return { kind: 'short', left: 0 }
    if (plan.kind === 'use') chosen.set(saleId, plan.places)
    else {
      const moved = await moveCapUnits(table, saleId, plan.units)
      if (moved.kind === 'busy' || moved.kind === 'unavailable') return moved
      // A refused move found the parts changed, so the next try looks at them again.
      chosen.set(saleId, [moved.kind === 'written' ? plan.place : { ...plan.place, units: 0 }])
    }
    return { kind: 'found' }
  }

  /** Finds parts for orders that were refused: they are over the cap only if that is certain. */
  const findOrProve = async (asked: Asked): Promise<Found> => {
    const found = await find(asked)
    if (found.kind !== 'short') return found
    const all = await findCapPartsSnapshot(table, asked.saleId)
    if (all.kind !== 'parts') return all
    const left = sum(all.units ?? [])
    return left < sum(asked.quantities) ? { kind: 'short', left } : { kind: 'found' }
  }

  /** Another writer is there: goes to any other part. */
  const leave = (saleId: SaleId) => {
    const steps = 1 + Math.floor(random() * (capPartCount - 1))
    chosen.set(saleId, [unknown((ownPart(saleId) + steps) % capPartCount)])
  }

  const writeOnce = async (chunk: readonly OrderEntry[], sales: readonly Asked[]) => {
    for (const asked of sales) {
      if (placeOrders(asked, placesOf(asked.saleId)) !== undefined) continue
      const found = await find(asked)
      if (found.kind === 'busy' || found.kind === 'unavailable') return found
    }
    const placed = new Map(sales.map((asked) => [asked.saleId, placeOrders(asked, placesOf(asked.saleId))]))
    // Orders for which no part has room are tried as well: the refusal names the duplicates.
    const partsOf = (saleId: SaleId) => placed.get(saleId)?.parts ?? [ownPart(saleId)]
    // Before the write: another one that begins meanwhile must not count on the same units, or it
    // is refused. After a refusal too few are remembered, which costs a look at the parts.
    for (const [saleId, place] of placed) if (place !== undefined) chosen.set(saleId, place.after)
    const result = await book.write(inParts(chunk, partsOf))
    if (result.kind === 'busy') for (const { saleId } of sales) leave(saleId)
    return result
  }

  return {
    async write(chunk) {
      const sales = askedOf(chunk)
      const short = new Map<SaleId, number>()
      for (let tries = 0; tries < maxTries; tries += 1) {
        const result = await writeOnce(chunk, sales)
        if (!isByPartsAlone(result)) return result
        const ofOnePart = [...result.caps].filter(([saleId]) => result.counters.has(saleId))
        const proven = [...short].filter(([saleId]) => result.caps.has(saleId))
        const caps = new Map([...ofOnePart, ...proven])
        if (caps.size > 0) return { ...result, caps }
        short.clear()
        for (const asked of sales.filter(({ saleId }) => result.caps.has(saleId))) {
          const found = await findOrProve(asked)
          if (found.kind === 'busy' || found.kind === 'unavailable') return found
          if (found.kind === 'short') short.set(asked.saleId, found.left)
        }
      }
      return { kind: 'busy' }
    },
  }
}

/** Neither a duplicate nor a limit: those come first, because such orders need no units. */
const isByPartsAlone = (result: Written): result is CommitRefusal =>
  result.kind === 'refused' && result.duplicates.size + result.overLimit.size + result.packetTaken.size === 0

const isInParts = ({ variant, packet }: Order) => variant === undefined && packet === undefined

const unknown = (part: number): Place => ({ part, units: Number.POSITIVE_INFINITY })

/** The units wanted of each cap with parts: one part of each sale, and more if the transaction has items left. */
function askedOf(chunk: readonly OrderEntry[]): Asked[] {
  const taking = chunk.map(({ order }) => order).filter(({ status }) => status !== 'rejected')
  const bySale = [...Map.groupBy(taking.filter(isInParts), ({ saleId }) => saleId)]
  const sales = new Set(taking.map(({ saleId }) => saleId)).size
  const spare = maxItems - itemsPerOrder * chunk.length - sales
  return bySale.map(([saleId, orders]) => ({
    saleId,
    quantities: orders.map(({ quantity }) => quantity),
    maxParts: 1 + Math.floor(spare / bySale.length),
  }))
}

/** The orders with the parts they sell from; the last part is that of any more orders. */
function inParts(chunk: readonly OrderEntry[], partsOf: (saleId: SaleId) => readonly number[]): readonly OrderEntry[] {
  const next = new Map<SaleId, number>()
  return chunk.map((entry) => {
    const { order } = entry
    if (order.status === 'rejected' || !isInParts(order)) return entry
    const index = next.get(order.saleId) ?? 0
    next.set(order.saleId, index + 1)
    const parts = partsOf(order.saleId)
    const part = parts[index] ?? parts.at(-1)
    return part === undefined || part === firstCapPart ? entry : { ...entry, order: { ...order, capPart: part } }
  })
}

/** A part to sell from, and the units that it is believed to have. */
export type Place = { part: number; units: number }

/** Orders of one transaction: their quantities, and how many parts it has room for. */
export type Wanted = { quantities: readonly number[]; maxParts: number }

/** `use` these parts. `move` units to `place` first, which then has enough. `short`: all together have too few. */
export type Plan =
  | { kind: 'use'; places: readonly Place[] }
  | { kind: 'move'; units: CapUnits; place: Place }
  | { kind: 'short' }

/**
 * From where to sell `wanted`. Parts that have enough cost no transaction of their own, and are
 * drawn at random, so that writers rarely meet. At the end of the stock too little is left in each,
 * and the writer collects what it needs in `part`.
 */
export function planFor(units: readonly number[], part: number, wanted: Wanted, random: () => number): Plan {
  const need = sum(wanted.quantities)
  const shuffled = units
    .map((left, number) => ({ place: { part: number, units: left }, at: random() }))
    .filter(({ place }) => place.units > 0)
    .sort((a, b) => a.at - b.at)
    .map(({ place }) => place)
  const fullest = shuffled.toSorted((a, b) => b.units - a.units)
  const offers = [
    shuffled.filter((place) => place.units >= need).slice(0, 1),
    shuffled.slice(0, wanted.maxParts),
    fullest.slice(0, wanted.maxParts),
  ]
  const places = offers.find((some) => placeOrders(wanted, some) !== undefined)
  if (places !== undefined) return { kind: 'use', places }
  const missing = need - (units[part] ?? 0)
  const taken = takeUnits(units.with(part, 0), missing)
  if (taken === undefined) return { kind: 'short' }
  return { kind: 'move', units: new Map(taken).set(part, missing), place: { part, units: need } }
}

/** The places after the sale, and the part of each order, which sells from one; undefined without room for all. */
export function placeOrders(
  { quantities, maxParts }: Wanted,
  places: readonly Place[],
): { parts: readonly number[]; after: readonly Place[] } | undefined {
  const after = places.slice(0, maxParts).map((place) => ({ ...place }))
  const parts: number[] = []
  for (const quantity of quantities) {
    const place = after.find(({ units }) => units >= quantity)
    if (place === undefined) return undefined
    place.units -= quantity
    parts.push(place.part)
  }
  return { parts, after }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
