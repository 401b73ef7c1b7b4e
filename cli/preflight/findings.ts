/** Need against limit, row by row: whether the sale may go ahead, for how large a crowd, and with which spread. */
import { maxSpreadSeconds } from '../../core/sale/settings.ts'
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import { type Cause, type Limit, type LimitId, limitsOf, shown } from './limits.ts'
import type { Plan } from './plan.ts'

type State = 'ok' | 'close' | 'short'

/** `share` is need divided by limit. `advice` is absent while the limit is far away. */
export type Finding = Pick<Limit, 'id' | 'name' | 'owner' | 'need' | 'limit'> & {
  share: number
  state: State
  isAccepted: boolean
  advice?: string
}

/** Above this share a limit is close: a forecast is never exact. */
const closeFrom = 0.8

/** `accepted` are limits that the operator allows to be short. */
export const findingsOf = (
  plan: Plan,
  settings: StageSettings,
  quotas: Quotas,
  accepted: readonly LimitId[] = [],
): Finding[] =>
  limitsOf(plan, settings, quotas).map(({ id, name, owner, follows, need, limit, remedy }) => {
    const share = limit === 0 ? (need === 0 ? 0 : Number.POSITIVE_INFINITY) : need / limit
    const state = share > 1 ? 'short' : follows === 'crowd' && share > closeFrom ? 'close' : 'ok'
    return {
      ...{ id, name, owner, need, limit, share, state },
      isAccepted: accepted.includes(id),
      ...(state !== 'ok' && { advice: remedy(shown(worthAsking(need, follows))) }),
    }
  })

/** What keeps the sale from going ahead. */
export const obstaclesOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ state, isAccepted }) => state === 'short' && !isAccepted)

/** Where the search for the largest crowd ends. */
const searchLimit = 100_000_000

/** The largest crowd for which no limit is short, 0 when one is for any crowd, and the first limit that a larger one breaks. */
export function bearableOf(
  plan: Plan,
  settings: StageSettings,
  quotas: Quotas,
  accepted: readonly LimitId[] = [],
): { shoppers: number; breaksFirst?: Finding } {
  const obstacles = (shoppers: number) => obstaclesOf(findingsOf({ ...plan, shoppers }, settings, quotas, accepted))
  // No need shrinks with the crowd, so halving finds it.
  let [borne, tooMany] = [0, searchLimit]
  while (tooMany - borne > 1) {
    const middle = Math.floor((borne + tooMany) / 2)
    if (obstacles(middle).length === 0) borne = middle
    else tooMany = middle
  }
  const [breaksFirst] = obstacles(tooMany)
  return { shoppers: borne, ...(breaksFirst !== undefined && { breaksFirst }) }
}

/** An amount to ask for, rounded up to two digits; for a crowd the need is four fifths of it. */
export function worthAsking(need: number, follows: Cause): number {
  const roomy = follows === 'crowd' ? need / closeFrom : need
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, roomy))) - 1)
  return Math.ceil(roomy / step) * step
}

/** A limit that the longest spread lowers by less than a tenth is short for another reason. */
const lowersTo = 0.9

/** Proposals are multiples of this, in seconds: finer ones would pretend that the crowd is known exactly. */
const spreadStep = 10

/**
 * The spread to propose (core/gate/spread.ts), which decides how many clicks a second start the gate: the least with
 * which every limit that depends on it has room, or the longest one. 0 when the gate takes the whole crowd at once.
 */
export function proposeSpread(plan: Plan, settings: StageSettings, quotas: Quotas): number {
  const findingsAt = (spreadSeconds: number) => findingsOf({ ...plan, spreadSeconds }, settings, quotas)
  const spread = new Map(findingsAt(maxSpreadSeconds).map(({ id, need }) => [id, need]))
  const lowered = findingsAt(0).filter(
    ({ id, need, state }) => state !== 'ok' && (spread.get(id) ?? need) < need * lowersTo,
  )
  if (lowered.length === 0) return 0
  const ids = new Set(lowered.map(({ id }) => id))
  const hasRoom = (seconds: number) => findingsAt(seconds).every(({ id, state }) => state === 'ok' || !ids.has(id))
  let seconds = spreadStep
  while (seconds < maxSpreadSeconds && !hasRoom(seconds)) seconds += spreadStep
  return seconds
}
