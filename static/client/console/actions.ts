/** What a marketer may do with a sale as it is now. The control function decides; this only spares dead ends. */
import type { Phase } from '../../../core/phase.ts'
import type { SaleState } from '../../../core/sale.ts'

export type Action = 'warm' | 'start' | 'pause' | 'resume' | 'close' | 'delete'

export type ActionFacts = Pick<SaleState, 'flag' | 'epoch' | 'warmed'> & { phase: Phase }

/** The actions on offer, the likeliest first. */
export function actionsFor({ phase, flag, epoch, warmed }: ActionFacts): readonly Action[] {
  if (phase === 'ended') return epoch === 0 ? ['delete'] : []
  const remove: Action[] = epoch === 0 ? ['delete'] : []
  if (!warmed) return ['start', 'warm', ...remove]
  if (flag === 'paused') return ['resume', 'close']
  if (phase === 'scheduled')
    return flag === 'on' ? ['start', 'pause', 'close'] : ['start', 'close', ...remove]
  return ['pause', 'close']
}
