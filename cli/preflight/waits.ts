/** The cost of the same sale when shoppers come earlier, as their pages poll while they wait, or load and click more often. */
import type { Plan } from './plan.ts'
import { type CostLine, freeOf, totalOf } from './sale-cost.ts'

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

/** `times` is how often each shopper loads the page, and clicks. `free`: what the free tier of a month covers. */
export type VisitCost = { times: number; dollars: number; free: number }

/** Loads and clicks of shoppers who do not trust the countdown. */
const otherTimes = [2, 3]

export const visitCosts = (plan: Plan, linesOf: (plan: Plan) => readonly CostLine[]): VisitCost[] =>
  otherTimes.map((times) => {
    const lines = linesOf({ ...plan, pageLoads: times, clicks: times })
    return { times, dollars: totalOf(lines), free: freeOf(lines) }
  })
