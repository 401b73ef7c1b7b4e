/** Computes the states of a sale's windows (R7). After a window ends the next one counts, even before it is published. */
import { pageStart } from '../../core/sale/page-phase.ts'
import type { Phase } from '../../core/sale/phase.ts'
import type { Pointer } from '../../core/sale/pointer.ts'

type Windows = Pick<Pointer, 'startsAt' | 'endsAt' | 'nextStartsAt'>

/** Returns the start of the next round if the current one is sold out or an earlier one is over. */
export function nextRoundAt(pointer: Windows, phase: Phase, now: number, firstStartsAt: number): number | undefined {
  if (phase === 'sold-out') return pointer.nextStartsAt ?? undefined
  const start = pageStart(pointer, now)
  return phase === 'scheduled' && start > firstStartsAt ? start : undefined
}

export type RoundState = 'over' | 'now' | 'next' | 'later'

/**
 * Returns the state of each window. The next window identifies the current one, because a marketer may open a window early,
 * before its announced start.
 */
export function roundStates(
  starts: readonly number[],
  { endsAt, nextStartsAt }: Windows,
  phase: Phase,
  now: number,
): readonly RoundState[] {
  const following = nextStartsAt === null ? starts.length : starts.indexOf(nextStartsAt)
  const isOver = now >= endsAt && nextStartsAt !== null
  const present = isOver ? following : following - 1
  const waits = isOver || phase === 'scheduled' || phase === 'draft'
  const next = waits ? present : present + 1
  return starts.map((_, i) => {
    if (i < present || phase === 'ended') return 'over'
    if (i === next) return 'next'
    return i === present ? 'now' : 'later'
  })
}

/** Returns the key for a round. The current one shows the phase, such as paused or sold out. */
export function roundKey(round: RoundState, phase: Phase) {
  return round === 'now' ? (`phase.${phase}` as const) : (`round.${round}` as const)
}
