/** What is needed against what there is, limit by limit, and whether the sale may go ahead. */
import type { Quotas, StageSettings } from '../settings/stage.ts'
import type { Cause, Limit, LimitId } from './limit.ts'
import { limitsOf } from './limits.ts'
import { needsOf } from './needs.ts'
import type { Plan } from './plan.ts'

export type State = 'ok' | 'close' | 'short'

/** `share` is need by limit. `advice` says what to do about it, and is absent where nothing is to be done. */
export type Finding = Pick<Limit, 'name' | 'owner' | 'source' | 'consequence'> & {
  id: LimitId
  need: number
  limit: number
  share: number
  state: State
  formula: string
  isAccepted: boolean
  advice?: string
}

/** From this share on a limit is close: a crowd is never quite the one that was forecast. */
const closeFrom = 0.8

/** `accepted` are limits that may be short, because somebody knows it and has decided so. */
export function findingsOf(
  plan: Plan,
  settings: StageSettings,
  quotas: Quotas,
  accepted: readonly LimitId[] = [],
): Finding[] {
  const needs = needsOf(plan, settings)
  return entriesOf(limitsOf(plan, settings, quotas)).map(([id, limit]) => {
    const { name, amount, owner, follows, source, consequence } = limit
    const { amount: need, formula } = needs[id]
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

/** A crowd that nobody expects: where the search for the largest bearable one ends. */
const mostAnybody = 100_000_000

/** The largest crowd for which nothing is short, all else being as planned; 0 when something is short for any. */
export function mostShoppers(
  plan: Plan,
  settings: StageSettings,
  quotas: Quotas,
  accepted: readonly LimitId[] = [],
): number {
  const bears = (shoppers: number) =>
    obstaclesOf(findingsOf({ ...plan, shoppers }, settings, quotas, accepted)).length === 0
  // No need shrinks with the crowd, so halving finds it.
  let [borne, tooMany] = [0, mostAnybody]
  while (tooMany - borne > 1) {
    const middle = Math.floor((borne + tooMany) / 2)
    if (bears(middle)) borne = middle
    else tooMany = middle
  }
  return borne
}

function entriesOf(limits: Partial<Record<LimitId, Limit>>): [LimitId, Limit][] {
  const found: [LimitId, Limit][] = []
  let id: LimitId
  for (id in limits) {
    const limit = limits[id]
    if (limit !== undefined) found.push([id, limit])
  }
  return found
}

function stateOf(share: number, follows: Cause): State {
  if (share > 1) return 'short'
  return follows === 'crowd' && share > closeFrom ? 'close' : 'ok'
}

/** Two digits that are not zero; of what a crowd needs so much that the need is four fifths of it. */
export function worthAsking(need: number, follows: Cause): number {
  const roomy = follows === 'crowd' ? need / closeFrom : need
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, roomy))) - 1)
  return Math.ceil(roomy / step) * step
}

const shown = (amount: number): string => amount.toLocaleString('en')
