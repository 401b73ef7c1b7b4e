/** What the same sale costs when shoppers come earlier: their pages poll while they wait. */
import type { Plan } from './plan.ts'
import { type CostLine, totalOf } from './sale-cost.ts'

/** `minutes` is how long before the start shoppers come, on average. */
export type WaitCost = { minutes: number; dollars: number }

/** Besides the wait of the plan. */
const otherWaits = [15, 60]

/** The waits of `otherWaits` that are longer than the planned one. */
export const waitCosts = (plan: Plan, linesOf: (plan: Plan) => readonly CostLine[]): WaitCost[] =>
  [plan.waitMinutes, ...otherWaits.filter((minutes) => minutes > plan.waitMinutes)].map((minutes) => ({
    minutes,
    dollars: totalOf(linesOf({ ...plan, waitMinutes: minutes })),
  }))
