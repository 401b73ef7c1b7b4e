/** The key figures of a sale beside those of an earlier one. */
import type { SaleReport } from './sale-report.ts'

const figureNames = [
  ...(['offered', 'sold', 'left', 'shoppers', 'paid', 'revenue', 'claimed'] as const),
  ...(['soldOut', 'peak', 'asked'] as const),
]

type FigureName = (typeof figureNames)[number]

/** `soldOut` is in ms, `revenue` and `claimed` are in minor units of the currency, the others are counts. */
export type ComparedFigure = { name: FigureName; is: number; was: number }

/**
 * The figures that both reports have, in the order of the key figures. Amounts are compared in one currency only.
 */
export function comparedFigures(report: SaleReport, earlier: SaleReport): ComparedFigure[] {
  const [now, before] = [figuresOf(report), figuresOf(earlier)]
  const isSameMoney = report.sale.currency === earlier.sale.currency
  return figureNames.flatMap((name) => {
    const [is, was] = [now[name], before[name]]
    if (is === null || was === null || (isSumOfMoney(name) && !isSameMoney)) return []
    return [{ name, is, was }]
  })
}

export const isSumOfMoney = (name: FigureName): boolean => name === 'revenue' || name === 'claimed'

/** From the start to the last unit, in ms; null for several rounds, of which each has a time of its own. */
export const soldOutMsOf = ({ pace: { rounds } }: SaleReport): number | null =>
  rounds.length === 1 ? (rounds[0]?.soldOutMs ?? null) : null

function figuresOf(report: SaleReport): Record<FigureName, number | null> {
  const { units, shoppers, payments, packets, pace, demand } = report
  return {
    ...{ ...units, shoppers },
    ...{ paid: payments?.paid ?? null, revenue: payments?.revenue ?? null },
    claimed: packets?.claimed ?? null,
    ...{ soldOut: soldOutMsOf(report), peak: pace.peakPerSecond, asked: demand?.asked ?? null },
  }
}
