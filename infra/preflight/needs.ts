/**
 * What a planned sale needs of each limit, with the formula that says why. More shoppers or more stock never need less of
 * anything, and no need depends on a quota; a limit that the stage does not have has no need either.
 */
import type { StageSettings } from '../settings/stage.ts'
import { accountNeed, functionNeeds } from './function-needs.ts'
import { crowdNeeds, edgeNeeds, redisNeed } from './gate-needs.ts'
import type { Needs } from './need.ts'
import { orderNeeds } from './order-needs.ts'
import type { Plan } from './plan.ts'
import { looksPerSecond, sellingRate } from './rates.ts'

export function needsOf(plan: Plan, settings: StageSettings): Needs {
  const rate = sellingRate(plan)
  const looks = looksPerSecond(plan, rate)
  const edge = edgeNeeds(plan)
  const functions = functionNeeds(plan, settings, rate, looks)
  return {
    ...crowdNeeds(plan),
    ...edge,
    ...functions,
    'account-concurrency': accountNeed(plan, settings, edge, functions),
    'redis-commands': redisNeed(plan),
    ...orderNeeds(plan, settings, rate, looks),
  }
}
