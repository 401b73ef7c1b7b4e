/** Need against limit, row by row, and whether the sale may go ahead. */
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import { type Cause, type Limit, type LimitId, limitsOf } from './limits.ts'
import type { Plan } from './plan.ts'

export type State = 'ok' | 'close' | 'short'

/** `share` is need divided by limit. `advice` is absent while the limit is far away. */
export type Finding = Pick<Limit, 'id' | 'name' | 'owner' | 'source' | 'consequence'> & {
  need: number
  limit: number
  share: number
  state: State
  formula: string
  isAccepted: boolean
  advice?: string
}

/** Above this share a limit is close: a forecast is never exact. */
const closeFrom = 0.8

/** `accepted` are limits that the operator allows to be short. */
export function findingsOf(
  plan: Plan,
  settings: StageSettings,
  quotas: Quotas,
  accepted: readonly LimitId[] = [],
): Finding[] {
  return limitsOf(plan, settings, quotas).map((limit) => {
    const { id, name, amount, owner, follows, source, consequence } = limit
    const { amount: need, formula } = limit.need
    const share = amount === 0 ? (need === 0 ? 0 : Number.POSITIVE_INFINITY) : need / amount
    const state = stateOf(share, follows)
    const advice = state === 'ok' ? undefined : limit.remedy(shown(worthAsking(need, follows)))
    return {
      ...{ id, name, need, limit: amount, share, state, formula, owner, source, consequence },
      isAccepted: accepted.includes(id),
      ...(advice !== undefined && { advice }),
    }
  })
}

const stops = ({ state, isAccepted }: Pick<Finding, 'state' | 'isAccepted'>): boolean =>
  state === 'short' && !isAccepted

/** What keeps the sale from going ahead. */
export const obstaclesOf = (findings: readonly Finding[]): Finding[] => findings.filter(stops)

/** Where the search for the largest crowd ends. */
const searchLimit = 100_000_000

/** The largest crowd for which no limit is short; 0 when a limit is short for any crowd. */
export function mostShoppers(
  plan: Plan,
  settings: StageSettings,
  quotas: Quotas,
  accepted: readonly LimitId[] = [],
): number {
  const bears = (shoppers: number) =>
    obstaclesOf(findingsOf({ ...plan, shoppers }, settings, quotas, accepted)).length === 0
  // No need shrinks with the crowd, so halving finds it.
  let [borne, tooMany] = [0, searchLimit]
  while (tooMany - borne > 1) {
    const middle = Math.floor((borne + tooMany) / 2)
    if (bears(middle)) borne = middle
    else tooMany = middle
  }
  return borne
}

function stateOf(share: number, follows: Cause): State {
  if (share > 1) return 'short'
  return follows === 'crowd' && share > closeFrom ? 'close' : 'ok'
}

/** An amount to ask for, rounded up to two digits; for a crowd the need is four fifths of it. */
export function worthAsking(need: number, follows: Cause): number {
  const roomy = follows === 'crowd' ? need / closeFrom : need
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, roomy))) - 1)
  return Math.ceil(roomy / step) * step
}

const shown = (amount: number): string => amount.toLocaleString('en')
