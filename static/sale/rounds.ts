/** Draws the windows of a sale that has several (R7), with the current one and the start of the next. */
import type { Phase } from '../../core/sale/phase.ts'
import type { Pointer } from '../../core/sale/pointer.ts'
import { byId, setText } from '../../web/dom.ts'
import type { Voice } from '../../web/voice.ts'
import type { OpeningKey } from './news.ts'
import { nextRoundAt, roundKey, roundStates } from './round-states.ts'

/** The current window and the start of the next one. */
type Span = Pick<Pointer, 'startsAt' | 'endsAt' | 'nextStartsAt'>

type Round = { element: HTMLElement; state: Element | null; startsAt: number }

/** Creates the view; it draws nothing for a single window. `part` finds an element by id; in this page by default. */
export function roundsView(voice: Pick<Voice<OpeningKey>, 't' | 'moment'>, part: (id: string) => HTMLElement = byId) {
  const line = part('next-round')
  const at = part('clock-at')
  const rounds = [...part('main').querySelectorAll<HTMLElement>('.round')].map((element): Round => {
    const state = element.querySelector('.round__state')
    return { element, state, startsAt: Number(element.dataset.startsAt) }
  })
  const starts = rounds.map(({ startsAt }) => startsAt)
  const firstStartsAt = starts[0] ?? Number.POSITIVE_INFINITY

  return {
    /** Returns the start of the next round, epoch ms, if the shopper has to wait for it. */
    nextAt: (pointer: Span, phase: Phase, now: number) => nextRoundAt(pointer, phase, now, firstStartsAt),
    draw(pointer: Span, phase: Phase, now: number): void {
      const states = roundStates(starts, pointer, phase, now)
      rounds.forEach(({ element, state }, i) => {
        const roundState = states[i] ?? 'later'
        element.dataset.state = roundState
        if (roundState === 'now') element.setAttribute('aria-current', 'time')
        else element.removeAttribute('aria-current')
        if (state !== null) setText(state, voice.t(roundKey(roundState, phase)))
      })
      const next = nextRoundAt(pointer, phase, now, firstStartsAt)
      line.hidden = next === undefined
      // The line shows the same time with a label.
      at.hidden = !line.hidden
      if (next !== undefined) setText(line, voice.t('round.nextAt', { time: voice.moment(next) }))
    },
  }
}
