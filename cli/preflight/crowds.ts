/** The planned sale for crowds of other sizes: what each costs in both price books, and whether the stage bears it. */
import { type PriceRegion, type Prices, priceBooks } from '../../infra/prices.ts'
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import { findingsOf, obstaclesOf } from './findings.ts'
import type { LimitId } from './limits.ts'
import type { Plan } from './plan.ts'
import { type CostLine, freeOf, totalOf } from './sale-cost.ts'
import { proposeSpread } from './spread.ts'

const sizes = [1000, 30_000, 1_000_000, 10_000_000]

/** US dollars at list prices, and the part that the free tier of a month covers if nothing else uses it. */
type CrowdBill = { list: number; free: number }

/** `short` are the names of the limits that stop the sale; empty: the stage bears it. */
export type Crowd = {
  shoppers: number
  stock: number
  bills: Record<PriceRegion, CrowdBill>
  short: readonly string[]
}

type Stage = { settings: StageSettings; quotas: Quotas; accepted: readonly LimitId[] }

/** Each crowd with the spread that it needs, and the planned stock or a unit for each shopper. */
export const crowdsOf = (
  plan: Plan,
  { settings, quotas, accepted }: Stage,
  saleLines: (plan: Plan, prices: Prices) => readonly CostLine[],
): Crowd[] =>
  sizes.map((shoppers) => {
    const crowd = { ...plan, shoppers, stock: Math.min(plan.stock, shoppers) }
    const spread = { ...crowd, spreadSeconds: proposeSpread(crowd, settings, quotas).seconds }
    const billIn = (region: PriceRegion): CrowdBill => {
      const lines = saleLines(spread, priceBooks[region])
      return { list: totalOf(lines), free: freeOf(lines) }
    }
    const short = obstaclesOf(findingsOf(spread, settings, quotas, accepted)).map(({ name }) => name)
    return { shoppers, stock: crowd.stock, bills: { eu: billIn('eu'), us: billIn('us') }, short }
  })
