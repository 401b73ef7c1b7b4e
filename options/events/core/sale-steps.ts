/** Notes of a sale for events, each once in a window: its phases, and its part of the shop's stock. */
import type { Phase } from '../../../core/sale/phase.ts'
import { phaseOf, type Sale } from '../../../core/sale/sale.ts'
import type { VariantUnits } from '../../../core/sale/variants.ts'
import { plusParts } from '../../../core/stock/divided-units.ts'

export const saleStepNames = ['opened', 'sold-out', 'ended', 'stock-taken', 'stock-returned'] as const

/**
 * `at` (epoch ms) is when it was seen: at most a second late while the sale runs, and a minute for the stock.
 * `quantity` is how many units were taken or given back, and `units` how many of each variant in a sale that has some.
 * `soldOutBefore`, of a sale that opened: the revision of its stock up to which it had sold out in former windows.
 */
export type RecordedSaleStep = {
  what: (typeof saleStepNames)[number]
  windowIndex: number
  at: number
  quantity?: number | undefined
  units?: VariantUnits | undefined
  soldOutBefore?: number | undefined
}

/** Units of a sale; `units` are those of each variant. */
export type SaleUnits = { quantity: number; units?: VariantUnits | undefined }

/** The steps from what was noted to what the sale has of the shop's stock, so that the sum of all notes is right. */
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

/** By the id of the variant, or all under the empty one in a sale without variants. */
function changesTo(has: SaleUnits, known: readonly RecordedSaleStep[]): VariantUnits {
  const steps = known.filter(({ what }) => what === 'stock-taken' || what === 'stock-returned')
  return steps.reduce(
    (changes, { what, quantity = 0, units }) =>
      plusParts(changes, unitsIn({ quantity, units }), what === 'stock-taken' ? -1 : 1),
    unitsIn(has),
  )
}

const unitsIn = ({ quantity, units }: SaleUnits): VariantUnits => units ?? { '': quantity }

/** How long after its end a sale is still reported as ended. */
const reportMs = 3_600_000

/**
 * A look at the stock. `available` is what is left. `soldOut` is the latest revision that has sold out, as the
 * functions that take units report it; `soldOutBefore` the one at the first look in this window. -1 for none.
 */
export type StockReading = { available: number; soldOut: number; soldOutBefore: number }

/**
 * Steps that are new at `now` (epoch ms), for a sale of which `known` were noted. Units that come back within a second
 * hide from looks that the stock was empty, so a revision that has sold out since the window opened counts as well.
 */
export function newSaleSteps(
  known: readonly Pick<RecordedSaleStep, 'what' | 'windowIndex' | 'soldOutBefore'>[],
  sale: Sale,
  { available, soldOut, soldOutBefore }: StockReading,
  now: number,
): RecordedSaleStep[] {
  const { windowIndex } = sale
  const opened = known.find((step) => step.what === 'opened' && step.windowIndex === windowIndex)
  // A step without it was noted before it was kept.
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

/** A sale that sells out within a second was open before. */
const stepsByPhase: Readonly<Partial<Record<Phase, readonly RecordedSaleStep['what'][]>>> = {
  open: ['opened'],
  'sold-out': ['opened', 'sold-out'],
  ended: ['ended'],
}

const endOf = ({ flag, updatedAt, endsAt }: Sale): number => (flag === 'closed' ? Math.min(updatedAt, endsAt) : endsAt)
