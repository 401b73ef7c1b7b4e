/** The buttons for the actions on a sale: what each does, its label, and how it looks. */
import type { Live } from '../../../../core/api/control-answers.ts'
import type { Phase } from '../../../../core/sale/phase.ts'
import type { Key } from '../lib/kind-words.ts'
import { type Action, actionsFor, opensByItself } from './actions.ts'
import { needsRecovery } from './notices.ts'
import { actionKey } from './start-state.ts'

export type ActionButton = { action: Action; label: Key; look: 'main' | 'plain' | 'danger' }

/**
 * The buttons for the actions on offer. The first is the main one, unless the sale must be
 * recovered first; opening a sale early is never suggested, nor is a pause once nothing is left to sell.
 */
export function actionButtons(live: Live): ActionButton[] {
  const { sale, phase, inStep, now } = live
  return actionsFor({ ...sale, phase, inStep, now }).map((action, i) => {
    const label = actionKey(action, sale, { phase, inStep })
    const isEarly = action === 'open-now' && opensByItself({ ...sale, phase })
    const isMain = i === 0 && !needsRecovery(live) && !isEarly && !isSpent(action, phase)
    const isDanger = action === 'close' || action === 'delete'
    return { action, label, look: isDanger ? 'danger' : isMain ? 'main' : 'plain' }
  })
}

function isSpent(action: Action, phase: Phase): boolean {
  return action === 'pause' && phase === 'sold-out'
}
