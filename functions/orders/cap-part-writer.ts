/**
 * Writes orders against one part of each cap, so that the transactions of several writers do not conflict at one item,
 * where DynamoDB cancels one of two that overlap. A writer uses the first part until it conflicts with another writer,
 * then a random part. Only at the end of the stock it uses several parts.
 *
 * An order is over the cap only after three steps: a part refuses it, all parts together have too few units at one
 * moment, and a part refuses it again. A refusal names duplicates first, so the second refusal proves that no other
 * writer had written the same order by that moment and taken its units.
 *
 * The cap of a sale with variants or red packets is a single part, whose own refusal is the proof.
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import { type CapUnits, capPartCount, firstCapPart, takeUnits } from '../../core/orders/cap-part.ts'
import type { Order } from '../../core/orders/order.ts'
import { maxItems } from '../lib/group-commit.ts'
import type { Table } from '../lib/shop/shop.ts'
import { itemsPerOrder, type OrderEntry } from '../table/orders/order-entry.ts'
import type { CommitRefusal, OrderWriter, WriteResult } from '../table/orders/order-writer.ts'
import { findCapParts, findCapPartsSnapshot, moveCapUnits, type TableFailure } from '../table/stock/cap-parts.ts'

export type CapPartWriterPorts = { writer: OrderWriter; table: Table; random: () => number }

/** Sales whose parts are cached. An evicted sale starts at the first part again. */
const maxSales = 1000

/** Other writers may take the units that this one found, so it reports `busy` after some tries. */
const maxTries = 3

/** The units of one sale that the orders of a chunk need together. */
type SaleUnitsNeeded = UnitsNeeded & { saleId: SaleId }

/** `short`: all parts together had only `left` units. */
type PartsFound = { kind: 'found' } | { kind: 'short'; left: number } | TableFailure

export function capPartWriter({ writer, table, random }: CapPartWriterPorts): OrderWriter {
  /** The parts that this writer uses. The last one is its own. */
  const chosen = new QuickLRU<SaleId, readonly PartLeft[]>({ maxSize: maxSales })
  const placesOf = (saleId: SaleId) => chosen.get(saleId) ?? [unread(firstCapPart)]
  const ownPart = (saleId: SaleId) => placesOf(saleId).at(-1)?.part ?? firstCapPart

  /** Finds parts with units for the orders, or moves units to the own part. */
  const findParts = async (needed: SaleUnitsNeeded): Promise<PartsFound> => {
    const { saleId } = needed
    const seen = await findCapParts(table, saleId)
    if (seen.kind !== 'parts') return seen
    // Every part of an unlimited stock has enough.
    if (seen.units === undefined) return { kind: 'found' }
    const plan = planParts(seen.units, ownPart(saleId), needed, random)
    if (plan.kind === 'short') return { kind: 'short', left: 0 }
    if (plan.kind === 'use') chosen.set(saleId, plan.places)
    else {
      const moved = await moveCapUnits(table, saleId, plan.units)
      if (moved.kind === 'busy' || moved.kind === 'unavailable') return moved
      // A refused move means that the parts have changed, so the next try reads them again.
      chosen.set(saleId, [moved.kind === 'written' ? plan.place : { ...plan.place, units: 0 }])
    }
    return { kind: 'found' }
  }

  /** Finds parts for refused orders. Returns `short` only when all parts at one moment prove it. */
  const findOrProveShort = async (needed: SaleUnitsNeeded): Promise<PartsFound> => {
    const found = await findParts(needed)
    if (found.kind !== 'short') return found
    const all = await findCapPartsSnapshot(table, needed.saleId)
    if (all.kind !== 'parts') return all
    const left = sum(all.units ?? [])
    return left < sum(needed.quantities) ? { kind: 'short', left } : { kind: 'found' }
  }

  /** Switches to a random other part after a conflict. */
  const switchPart = (saleId: SaleId) => {
    const steps = 1 + Math.floor(random() * (capPartCount - 1))
    chosen.set(saleId, [unread((ownPart(saleId) + steps) % capPartCount)])
  }

  const writeOnce = async (chunk: readonly OrderEntry[], sales: readonly SaleUnitsNeeded[]) => {
    for (const needed of sales) {
      if (assignParts(needed, placesOf(needed.saleId)) !== undefined) continue
      const found = await findParts(needed)
      if (found.kind === 'busy' || found.kind === 'unavailable') return found
    }
    const placed = new Map(sales.map((needed) => [needed.saleId, assignParts(needed, placesOf(needed.saleId))]))
    // Orders that fit no part are tried as well: the refusal names the duplicates.
    const partsOf = (saleId: SaleId) => placed.get(saleId)?.parts ?? [ownPart(saleId)]
    // Before the write, because a concurrent write must not count on the same units: it would be refused. After a
    // refusal the cached counts are too low, which costs one read of the parts.
    for (const [saleId, place] of placed) if (place !== undefined) chosen.set(saleId, place.after)
    const result = await writer.write(withParts(chunk, partsOf))
    if (result.kind === 'busy') for (const { saleId } of sales) switchPart(saleId)
    return result
  }

  return {
    async write(chunk) {
      const sales = unitsNeededBySale(chunk)
      const short = new Map<SaleId, number>()
      for (let tries = 0; tries < maxTries; tries += 1) {
        const result = await writeOnce(chunk, sales)
        if (!isRefusedByCapAlone(result)) return result
        const ofOnePart = [...result.caps].filter(([saleId]) => result.counters.has(saleId))
        const proven = [...short].filter(([saleId]) => result.caps.has(saleId))
        const caps = new Map([...ofOnePart, ...proven])
        if (caps.size > 0) return { ...result, caps }
        short.clear()
        for (const needed of sales.filter(({ saleId }) => result.caps.has(saleId))) {
          const found = await findOrProveShort(needed)
          if (found.kind === 'busy' || found.kind === 'unavailable') return found
          if (found.kind === 'short') short.set(needed.saleId, found.left)
        }
      }
      return { kind: 'busy' }
    },
  }
}

/** True without duplicates and limits, which come first because such orders need no units. */
const isRefusedByCapAlone = (result: WriteResult): result is CommitRefusal =>
  result.kind === 'refused' && result.duplicates.size + result.overLimit.size + result.packetTaken.size === 0

const isInParts = ({ variant, packet }: Order) => variant === undefined && packet === undefined

const unread = (part: number): PartLeft => ({ part, units: Number.POSITIVE_INFINITY })

/** Returns the units needed of each cap with parts. Uses one part per sale, and more when the transaction has room. */
function unitsNeededBySale(chunk: readonly OrderEntry[]): SaleUnitsNeeded[] {
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

/** Adds to the orders the parts that they use. Orders beyond `partsOf` use its last part. */
function withParts(
  chunk: readonly OrderEntry[],
  partsOf: (saleId: SaleId) => readonly number[],
): readonly OrderEntry[] {
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

/** A part of a cap, and its units as this writer last knew them. */
export type PartLeft = { part: number; units: number }

/** The quantities of one transaction's orders, and how many parts the transaction has room for. */
export type UnitsNeeded = { quantities: readonly number[]; maxParts: number }

/** `use` these parts. `move` units to `place` first, which then has enough. `short`: all parts have too few. */
export type PartPlan =
  | { kind: 'use'; places: readonly PartLeft[] }
  | { kind: 'move'; units: CapUnits; place: PartLeft }
  | { kind: 'short' }

/**
 * Plans which parts to use. Random parts with enough units need no further transaction, and writers rarely conflict. At
 * the end of the stock no part has enough, and the writer moves the missing units to `part`.
 */
export function planParts(units: readonly number[], part: number, needed: UnitsNeeded, random: () => number): PartPlan {
  const need = sum(needed.quantities)
  const shuffled = units
    .map((left, number) => ({ place: { part: number, units: left }, at: random() }))
    .filter(({ place }) => place.units > 0)
    .sort((a, b) => a.at - b.at)
    .map(({ place }) => place)
  const fullest = shuffled.toSorted((a, b) => b.units - a.units)
  const offers = [
    shuffled.filter((place) => place.units >= need).slice(0, 1),
    shuffled.slice(0, needed.maxParts),
    fullest.slice(0, needed.maxParts),
  ]
  const places = offers.find((some) => assignParts(needed, some) !== undefined)
  if (places !== undefined) return { kind: 'use', places }
  const missing = need - (units[part] ?? 0)
  const taken = takeUnits(units.with(part, 0), missing)
  if (taken === undefined) return { kind: 'short' }
  return { kind: 'move', units: new Map(taken).set(part, missing), place: { part, units: need } }
}

/** Assigns one part to each order, and returns the parts afterwards; undefined without room for all orders. */
export function assignParts(
  { quantities, maxParts }: UnitsNeeded,
  places: readonly PartLeft[],
): { parts: readonly number[]; after: readonly PartLeft[] } | undefined {
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
