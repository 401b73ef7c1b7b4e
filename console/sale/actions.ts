/** Chooses the actions that a sale allows, and their buttons. The control function decides. */
import type { Live } from '../../core/api/control-answers.ts'
import type { Phase } from '../../core/sale/phase.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Key } from '../parts/kind-words.ts'
import { needsRecovery } from './notices.ts'

/** `start` schedules a sale for its time; the clock opens it then. `open-now` opens it at once. */
export type StartAction = 'start' | 'open-now'

/** `warm` is only offered as a retry, because a start warms the sale. */
export type SaleAction = StartAction | 'warm' | 'pause' | 'resume' | 'close' | 'delete'

/** `now` is epoch ms. */
type ActionFacts = Pick<Sale, 'flag' | 'epoch' | 'warmed' | 'archivedAt' | 'startsAt'> & {
  phase: Phase
  inStep: boolean
  now: number
}

type RepeatFacts = Omit<ActionFacts, 'archivedAt' | 'startsAt' | 'now'>

/**
 * The actions on offer, the likeliest first. While Redis lacks the sale's newest state, the action
 * that led there comes first: asked for again, it changes nothing and is applied everywhere.
 */
export function actionsFor(facts: ActionFacts): readonly SaleAction[] {
  if (facts.archivedAt !== undefined) return []
  const repeat = repeatOf(facts)
  const usual = usualActions(facts)
  return repeat === undefined ? usual : [repeat, ...usual.filter((action) => action !== repeat)]
}

/** The action to ask for again, or undefined when nothing is behind. */
export function repeatOf({ phase, flag, warmed, inStep }: RepeatFacts): SaleAction | undefined {
  if (inStep || !warmed) return undefined
  if (flag === 'closed') return 'close'
  if (flag === 'paused') return 'pause'
  // A sale that the clock ended refuses a start; resuming one whose flag is on asks for the same
  // state.
  if (flag === 'on') return phase === 'ended' ? 'resume' : 'start'
  return 'warm'
}

/** The label of an action; the last one is only applied again. */
export function actionKey(action: SaleAction, sale: Sale, state: { phase: Phase; inStep: boolean }): Key {
  const isAgain = action === 'warm' || repeatOf({ ...sale, ...state }) === action
  return isAgain ? 'do.repeat' : `do.${action}`
}

/** True when the sale opens automatically: it is scheduled, or waits for its next window (R7). */
export function opensByItself({ phase, flag, epoch }: Pick<ActionFacts, 'phase' | 'flag' | 'epoch'>): boolean {
  return phase === 'scheduled' && (flag === 'on' || epoch > 0)
}

function usualActions(facts: ActionFacts): readonly SaleAction[] {
  const { phase, flag, epoch, warmed, startsAt, now } = facts
  if (phase === 'ended') return epoch === 0 ? ['delete'] : []
  const remove: SaleAction[] = epoch === 0 ? ['delete'] : []
  // A sale whose start has passed cannot be scheduled.
  const starts: SaleAction[] = now < startsAt ? ['start', 'open-now'] : ['open-now']
  if (!warmed) return [...starts, ...remove]
  if (flag === 'paused') return ['resume', 'close']
  if (opensByItself(facts)) return ['open-now', 'pause', 'close']
  if (phase === 'scheduled') return [...starts, 'close', ...remove]
  return ['pause', 'close']
}

export type ActionButton = { action: SaleAction; label: Key; look: 'main' | 'plain' | 'danger' }

/**
 * The buttons for the actions on offer. The first is the main one, unless the sale must be
 * recovered first; opening a sale early is never suggested, nor is a pause once nothing is left to sell.
 */
export function actionButtons(live: Live): ActionButton[] {
  const { sale, phase, inStep, now } = live
  return actionsFor({ ...sale, phase, inStep, now }).map((action, i) => {
    const label = actionKey(action, sale, { phase, inStep })
    const isEarly = action === 'open-now' && opensByItself({ ...sale, phase })
    const isMain = i === 0 && !needsRecovery(live) && !isEarly && !(action === 'pause' && phase === 'sold-out')
    const isDanger = action === 'close' || action === 'delete'
    return { action, label, look: isDanger ? 'danger' : isMain ? 'main' : 'plain' }
  })
}
