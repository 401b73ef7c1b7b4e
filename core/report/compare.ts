/** The key figures of a sale beside those of an earlier one. */
import type { Sums } from '../money.ts'
import type { SaleReport } from './sale-report.ts'

const figureNames = [
  ...(['offered', 'sold', 'left', 'shoppers', 'paid', 'revenue', 'claimed'] as const),
  ...(['soldOut', 'peak', 'asked'] as const),
]

type FigureName = (typeof figureNames)[number]

/** `soldOut` is in ms; with a `currency` it is an amount of that, in minor units; the others are counts. */
export type ComparedFigure = { name: FigureName; is: number; was: number; currency?: string }

/**
 * The figures that both reports have, in the order of the key figures. Amounts are compared currency by currency.
 */
export function comparedFigures(report: SaleReport, earlier: SaleReport): ComparedFigure[] {
  const [now, before] = [figuresOf(report), figuresOf(earlier)]
  return figureNames.flatMap((name): ComparedFigure[] => {
    const [is, was] = [now[name], before[name]]
    if (is === null || was === null) return []
    if (typeof is === 'number' || typeof was === 'number')
      return typeof is === 'number' && typeof was === 'number' ? [{ name, is, was }] : []
    return Object.entries(is).flatMap(([currency, sum]) => {
      const earlierSum = was[currency]
      return earlierSum === undefined ? [] : [{ name, is: sum, was: earlierSum, currency }]
    })
  })
}

/** From the start to the last unit, in ms; null for several rounds, of which each has a time of its own. */
export const soldOutMsOf = ({ pace: { rounds } }: SaleReport): number | null =>
  rounds.length === 1 ? (rounds[0]?.soldOutMs ?? null) : null

function figuresOf(report: SaleReport): Record<FigureName, number | Sums | null> {
  const { sale, units, shoppers, payments, packets, pace, demand } = report
  return {
    ...{ ...units, shoppers },
    ...{ paid: payments?.paid ?? null, revenue: payments?.revenue ?? null },
    claimed: packets === null ? null : { [sale.currency]: packets.claimed },
    ...{ soldOut: soldOutMsOf(report), peak: pace.peakPerSecond, asked: demand?.asked ?? null },
  }
}
