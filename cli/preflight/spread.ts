/**
 * Proposes the spread of a sale (core/gate/spread.ts). It decides how many clicks a second start the gate,
 * which has limits that no quota raises.
 */
import { maxSpreadSeconds } from '../../core/sale/settings.ts'
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import { type Finding, findingsOf } from './findings.ts'
import type { Plan } from './plan.ts'

/** Seconds to propose, and the names of the limits that have no room without them. */
export type SpreadAdvice = { seconds: number; reasons: readonly string[] }

/** A limit that the longest spread lowers by less than a tenth is short for another reason. */
const lowersTo = 0.9

/** Proposals are multiples of this, in seconds: finer ones would pretend that the crowd is known exactly. */
const spreadStep = 10

/**
 * The least spread with which every limit that depends on it has room, or the longest one. 0 when the
 * gate can take the whole crowd at once.
 */
export function proposeSpread(plan: Plan, settings: StageSettings, quotas: Quotas): SpreadAdvice {
  const findingsAt = (spreadSeconds: number) => findingsOf({ ...plan, spreadSeconds }, settings, quotas)
  const spread = new Map(findingsAt(maxSpreadSeconds).map(({ id, need }) => [id, need]))
  const isLowered = ({ id, need }: Finding) => (spread.get(id) ?? need) < need * lowersTo
  const lowered = findingsAt(0).filter((one) => isLowered(one) && one.state !== 'ok')
  if (lowered.length === 0) return { seconds: 0, reasons: [] }
  const ids = new Set(lowered.map(({ id }) => id))
  const hasRoom = (seconds: number) => findingsAt(seconds).every(({ id, state }) => state === 'ok' || !ids.has(id))
  let seconds = spreadStep
  while (seconds < maxSpreadSeconds && !hasRoom(seconds)) seconds += spreadStep
  return { seconds, reasons: lowered.map(({ name }) => name) }
}
