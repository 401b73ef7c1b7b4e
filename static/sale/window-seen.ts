/**
 * Which of a sale's windows a page counts down to (R7). Once the current one has ended, it is the
 * next one, also before that is published as the current one.
 */
import { startSeen } from '../../core/sale/page-phase.ts'
import type { Phase } from '../../core/sale/phase.ts'
import type { Pointer } from '../../core/sale/pointer.ts'

type Windows = Pick<Pointer, 'startsAt' | 'endsAt' | 'nextStartsAt'>

/**
 * When the next round starts, where that is what the shopper wants to know: this one is sold out,
 * or an earlier one is over. `firstStartsAt` is the start of the sale's first window.
 */
export function nextRoundAt(pointer: Windows, phase: Phase, now: number, firstStartsAt: number): number | undefined {
  if (phase === 'sold-out') return pointer.nextStartsAt ?? undefined
  const start = startSeen(pointer, now)
  return phase === 'scheduled' && start > firstStartsAt ? start : undefined
}

export type RoundState = 'over' | 'now' | 'next' | 'later'

/**
 * The state of each of the windows that start at `starts`, while the sale is in `phase`. The window after it identifies
 * the current one: a marketer may open it early, and then the pointer's start is not the announced one.
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

/** The words for a round of a sale in `phase`: the present one may be paused or sold out. */
export function roundKey(round: RoundState, phase: Phase) {
  return round === 'now' ? (`phase.${phase}` as const) : (`round.${round}` as const)
}
