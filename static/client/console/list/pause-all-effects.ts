/** Says what the switch for all sales will do. */
import { readiness } from '../../../../core/sale/readiness.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import type { Speaker } from '../lib/kind-words.ts'

/** The sales that sell now, or would open by themselves; `isAll`: there are no others. */
export function pauseAllEffects(
  voice: Speaker,
  { sales, isAll }: { sales: readonly Sale[]; isAll: boolean },
  now: number,
): string[] {
  const states = sales.map((sale) => readiness(sale, now).state)
  const open = states.filter((state) => state === 'open').length
  const scheduled = states.filter((state) => state === 'scheduled').length
  return [voice.t(isAll ? 'effect.pauseAll' : 'effect.pauseAllAtLeast', { open, scheduled })]
}
