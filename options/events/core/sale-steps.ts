/** The steps of a sale from which its events follow: its phases, each once in a window, and its share of the shop's stock. */
import type { Phase } from '../../../core/sale/phase.ts'
import { phaseOf, type Sale } from '../../../core/sale/sale.ts'
import type { VariantUnits } from '../../../core/sale/variants.ts'
import { plusParts } from '../../../core/stock/divided-units.ts'

export const saleStepNames = ['opened', 'sold-out', 'ended', 'stock-taken', 'stock-returned'] as const

/**
 * `at` (epoch ms) is when the step was seen: at most a second late while the sale runs, and a minute for the stock.
 * `quantity` is the number of units taken or returned, and `units` the number of each variant in a sale with variants.
 * `soldOutBefore`, of `opened`: the revision of the stock up to which the sale had sold out in former windows.
 */
export type RecordedSaleStep = {
  what: (typeof saleStepNames)[number]
  windowIndex: number
  at: number
  quantity?: number | undefined
  units?: VariantUnits | undefined
  soldOutBefore?: number | undefined
}

/** Units of a sale; `units` has the number of each variant. */
export type SaleUnits = { quantity: number; units?: VariantUnits | undefined }

/** Returns the steps from the recorded units to those that the sale has, so that the sum of all steps is right. */
export function newStockSteps(
  known: readonly RecordedSaleStep[],
  { windowIndex }: Pick<Sale, 'windowIndex'>,
  has: SaleUnits,
  at: number,
): RecordedSaleStep[] {
  const changes = changesTo(has, known)
  return (['stock-taken', 'stock-returned'] as const).flatMap((what) => {
    const sign = what === 'stock-taken' ? 1 : -1
    const changed = Object.entries(changes).flatMap(([id, by]): [string, number][] =>
      by * sign > 0 ? [[id, by * sign]] : [],
    )
    const quantity = changed.reduce((sum, [, count]) => sum + count, 0)
    if (quantity === 0) return []
    return [{ what, windowIndex, at, quantity, ...(has.units && { units: Object.fromEntries(changed) }) }]
  })
}

/** Returns the difference by the id of the variant, or under the empty id in a sale without variants. */
function changesTo(has: SaleUnits, known: readonly RecordedSaleStep[]): VariantUnits {
  const steps = known.filter(({ what }) => what === 'stock-taken' || what === 'stock-returned')
  return steps.reduce(
    (changes, { what, quantity = 0, units }) =>
      plusParts(changes, unitsIn({ quantity, units }), what === 'stock-taken' ? -1 : 1),
    unitsIn(has),
  )
}

const unitsIn = ({ quantity, units }: SaleUnits): VariantUnits => units ?? { '': quantity }

/** The end of a sale is reported until this long after it. */
const reportMs = 3_600_000

/**
 * A reading of the stock. `available` is the number of units left. `soldOut` is the latest revision that has sold out, as the
 * functions that take units report it; `soldOutBefore` is its value at the first reading in this window. -1 for none.
 */
export type StockReading = { available: number; soldOut: number; soldOutBefore: number }

/**
 * Returns the steps that are new at `now` (epoch ms); `known` are recorded already. Units that come back within a second hide
 * from readings that the stock was empty, so a revision that has sold out since the window opened counts, too.
 */
export function newSaleSteps(
  known: readonly Pick<RecordedSaleStep, 'what' | 'windowIndex' | 'soldOutBefore'>[],
  sale: Sale,
  { available, soldOut, soldOutBefore }: StockReading,
  now: number,
): RecordedSaleStep[] {
  const { windowIndex } = sale
  const opened = known.find((step) => step.what === 'opened' && step.windowIndex === windowIndex)
  // Steps of earlier releases do not have the field.
  const before = opened === undefined ? soldOutBefore : (opened.soldOutBefore ?? soldOut)
  const present = phaseOf(sale, now, available)
  const phase = present === 'open' && soldOut > before ? 'sold-out' : present
  const isKnown = (what: RecordedSaleStep['what']) =>
    known.some((step) => step.what === what && step.windowIndex === windowIndex)
  if (phase === 'ended' && now - endOf(sale) > reportMs) return []
  return (stepsByPhase[phase] ?? [])
    .filter((what) => !isKnown(what))
    .map((what) => ({ what, windowIndex, at: now, ...(what === 'opened' && { soldOutBefore }) }))
}

/** The steps of each phase: a sale that sold out within a second was open before. */
const stepsByPhase: Readonly<Partial<Record<Phase, readonly RecordedSaleStep['what'][]>>> = {
  open: ['opened'],
  'sold-out': ['opened', 'sold-out'],
  ended: ['ended'],
}

const endOf = ({ flag, updatedAt, endsAt }: Sale): number => (flag === 'closed' ? Math.min(updatedAt, endsAt) : endsAt)
