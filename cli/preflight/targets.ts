/**
 * Which tier of a stage takes what the published designs ask for: a million shoppers within ten
 * seconds (R8), and 100,000 orders a second (G8).
 */

import { maxSpreadSeconds } from '../../core/sale/settings.ts'
import { maxDatabases } from '../../core/stock/database.ts'
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import { gateStarts, startsAtOnce } from './concurrency.ts'
import { databaseReport, targetPerSecond } from './databases.ts'
import { type LimitId, limitsOf } from './limits.ts'
import { type Plan, usualHabits } from './plan.ts'

/** One tier against one of the targets. `canBeRaised`: by a quota or by the settings of the stage. */
export type TargetTier = { name: string; need: number; limit: number; canBeRaised: boolean }

const crowd = { kind: 'goods', shoppers: 1_000_000, openingSeconds: 10, stock: 1000 } as const
const tiersOfCrowd: readonly LimitId[] = ['distribution-requests', 'edge-requests', 'edge-starts']
/** Those whose need a spread lowers. */
const tiersOfSpread: readonly LimitId[] = ['edge-requests', 'edge-starts']

/** Only what is assumed about shoppers comes from the plan. */
export function targetTiers(
  { busiestShare, arrival, isFlippedLate, edgeRunSeconds, edgeColdSeconds }: Plan,
  settings: StageSettings,
  quotas: Quotas,
): TargetTier[] {
  const habits = { ...usualHabits, busiestShare, arrival, isFlippedLate, edgeRunSeconds, edgeColdSeconds }
  const tiersOf = (ids: readonly LimitId[], spreadSeconds: number) =>
    limitsOf({ ...habits, ...crowd, spreadSeconds }, settings, quotas)
      .filter(({ id }) => ids.includes(id))
      .map(({ name, need, amount, owner }) => ({
        name: spreadSeconds === 0 ? name : `${name}, over ${spreadSeconds} s`,
        need: need.amount,
        limit: amount,
        canBeRaised: owner !== 'fixed',
      }))
  const orders: Plan = { ...habits, ...crowd, shoppers: targetPerSecond, openingSeconds: 1 }
  const { mostOfOne } = databaseReport(orders, quotas.redisCommandsPerSecond, 'fixed')
  return [
    ...tiersOf(tiersOfCrowd, 0),
    ...tiersOf(tiersOfSpread, maxSpreadSeconds),
    {
      name: `edge starts for ${targetPerSecond.toLocaleString('en')} orders/s`,
      need: gateStarts(orders).amount,
      limit: startsAtOnce,
      canBeRaised: false,
    },
    {
      name: `orders/s of ${maxDatabases} databases, all of one shop`,
      need: targetPerSecond,
      limit: mostOfOne * maxDatabases,
      canBeRaised: false,
    },
  ]
}
