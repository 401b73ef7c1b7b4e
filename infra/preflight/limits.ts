/**
 * What there is at most: quotas that AWS or Upstash raise when asked, numbers of the stage's own settings, and the few that
 * nobody can raise. Each says where it comes from, and what a shopper notices when it is short.
 */
import type { Quotas, StageSettings } from '../settings/stage.ts'
import { accountLimits } from './account-limits.ts'
import { functionLimits } from './function-limits.ts'
import type { Limits } from './limit.ts'
import { orderLimits } from './order-limits.ts'
import type { Plan } from './plan.ts'

/** `quotas` are those of the settings, unless others are to be tried. */
export function limitsOf(plan: Plan, settings: StageSettings, quotas: Quotas): Limits {
  return {
    ...accountLimits(plan, settings, quotas),
    ...functionLimits(plan, settings, quotas),
    ...orderLimits(plan, settings),
  }
}
