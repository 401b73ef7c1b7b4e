/**
 * What a marketer may do with a sale as it is now. The control function decides; this only spares
 * dead ends.
 */
import type { Phase } from '../../../core/phase.ts'
import type { Sale } from '../../../core/sale.ts'

export type Action = 'warm' | 'start' | 'pause' | 'resume' | 'close' | 'delete'

type ActionFacts = Pick<Sale, 'flag' | 'epoch' | 'warmed' | 'archivedAt'> & {
  phase: Phase
  inStep: boolean
}

/**
 * The actions on offer, the likeliest first. While Redis lacks the sale's newest state, the action
 * that led there comes first: asked for again, it changes nothing and is applied everywhere.
 */
export function actionsFor(facts: ActionFacts): readonly Action[] {
  if (facts.archivedAt !== undefined) return []
  const repeat = repeatOf(facts)
  const usual = usualActions(facts)
  return repeat === undefined ? usual : [repeat, ...usual.filter((action) => action !== repeat)]
}

/** The action to ask for again, or undefined when nothing is behind. */
export function repeatOf({ phase, flag, warmed, inStep }: ActionFacts): Action | undefined {
  if (inStep || !warmed) return undefined
  if (flag === 'closed') return 'close'
  if (flag === 'paused') return 'pause'
  // A sale that the clock ended refuses a start; resuming one whose flag is on asks for the same
  // state.
  if (flag === 'on') return phase === 'ended' ? 'resume' : 'start'
  return 'warm'
}

/**
 * Whether the clock alone opens the sale: it was armed, or waits for the next of its windows (R7).
 */
export function opensByItself({ phase, flag, epoch }: Omit<ActionFacts, 'warmed' | 'inStep'>): boolean {
  return phase === 'scheduled' && (flag === 'on' || epoch > 0)
}

function usualActions(facts: ActionFacts): readonly Action[] {
  const { phase, flag, epoch, warmed } = facts
  if (phase === 'ended') return epoch === 0 ? ['delete'] : []
  const remove: Action[] = epoch === 0 ? ['delete'] : []
  if (!warmed) return ['start', 'warm', ...remove]
  if (flag === 'paused') return ['resume', 'close']
  if (opensByItself(facts)) return ['start', 'pause', 'close']
  if (phase === 'scheduled') return ['start', 'close', ...remove]
  return ['pause', 'close']
}
