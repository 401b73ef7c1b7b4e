/**
 * What a marketer may do to a sale, as pure steps from one state to the next (G1-G3). Asking for the state a
 * sale is already in is not a mistake: the step is `same`, and the caller publishes it again, which repairs
 * whatever a crash cut off.
 */
import { parse } from '../../core/parse.ts'
import {
  editableOnceStarted,
  type Sale,
  type SaleDefinition,
  type SaleEdit,
  saleDefinition,
} from '../../core/sale.ts'

export type Step =
  | { kind: 'changed'; sale: Sale }
  | { kind: 'same' }
  | { kind: 'refused'; detail: string; field?: string }
  | { kind: 'invalid'; field: string; detail: string }

const same: Step = { kind: 'same' }
const refused = (detail: string, field?: string): Step =>
  field === undefined ? { kind: 'refused', detail } : { kind: 'refused', detail, field }

/** Every change the shopper's page can see gets a version of its own. */
function changed(sale: Sale, now: number, change: Partial<Sale>): Step {
  return { kind: 'changed', sale: { ...sale, ...change, version: sale.version + 1, updatedAt: now } }
}

/** A new sale: nothing on the shelf, flag off. `now` is epoch ms. */
export function newSale(definition: SaleDefinition, now: number): Sale {
  return {
    ...definition,
    flag: 'off',
    epoch: 0,
    startToken: null,
    version: 1,
    warmed: false,
    createdAt: now,
    updatedAt: now,
  }
}

export function warm(sale: Sale, now: number): Step {
  if (sale.warmed) return same
  if (hasEnded(sale, now)) return refused('The sale has ended.')
  return changed(sale, now, { warmed: true })
}

/**
 * Flips the flag on: a new epoch with a new start token. Before `startsAt` this arms the sale and the clock
 * opens it; `atOnce` moves `startsAt` to `now` first.
 */
export function start(sale: Sale, now: number, newToken: () => string, atOnce: boolean): Step {
  if (hasEnded(sale, now)) return refused('The sale has ended.')
  if (sale.flag === 'paused') return refused('The sale is paused. Resume it instead.')
  const startsAt = atOnce ? Math.min(sale.startsAt, now) : sale.startsAt
  if (sale.flag === 'on') return startsAt === sale.startsAt ? same : changed(sale, now, { startsAt })
  return changed(sale, now, { flag: 'on', epoch: sale.epoch + 1, startToken: newToken(), startsAt })
}

export function pause(sale: Sale, now: number): Step {
  if (sale.flag === 'paused') return same
  if (hasEnded(sale, now)) return refused('The sale has ended.')
  if (sale.flag === 'off') return refused('The sale is not started, so there is nothing to pause.')
  return changed(sale, now, { flag: 'paused' })
}

/** Goes on in the same epoch: pages that hold its start token stay good. */
export function resume(sale: Sale, now: number): Step {
  if (sale.flag === 'on') return same
  if (hasEnded(sale, now)) return refused('The sale has ended.')
  if (sale.flag === 'off') return refused('The sale was never started. Start it instead.')
  return changed(sale, now, { flag: 'on' })
}

/** For good: a closed sale cannot be opened again. */
export function close(sale: Sale, now: number): Step {
  return sale.flag === 'closed' ? same : changed(sale, now, { flag: 'closed' })
}

/** Applies an edit. Orders were promised under price, limits and currency, so those stay once it was started. */
export function edit(sale: Sale, now: number, changes: SaleEdit): Step {
  const names = Object.keys(changes)
  const late: readonly string[] = editableOnceStarted
  const forbidden = names.find((name) => sale.epoch > 0 && !late.includes(name))
  if (forbidden !== undefined)
    return refused(`${forbidden} cannot change once the sale was started.`, forbidden)
  if (sale.warmed && changes.stock !== undefined && changes.stock !== sale.stock) {
    return refused('The stock is on the shelf. Change it with POST …/stock {"delta"}.', 'stock')
  }
  if (sale.flag === 'closed') return refused('The sale is closed.')
  const whole = parse(saleDefinition, { ...definitionOf(sale), ...changes })
  if (!whole.ok) return { kind: 'invalid', field: whole.field, detail: whole.detail }
  const before: Readonly<Record<string, unknown>> = sale
  const differs = Object.entries(whole.value).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return differs ? changed(sale, now, whole.value) : same
}

/** The part of a sale that a marketer defines. */
export function definitionOf(sale: Sale): SaleDefinition {
  const { flag, epoch, startToken, version, warmed, createdAt, updatedAt, ...definition } = sale
  return definition
}

function hasEnded(sale: Sale, now: number): boolean {
  return sale.flag === 'closed' || now >= sale.endsAt
}
