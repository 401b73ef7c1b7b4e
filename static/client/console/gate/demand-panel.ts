/**
 * How often shoppers asked for units, and what became of it: one row for each outcome, with a bar for
 * its share. The rarer refusals unfold. Hidden before the first request.
 */
import type { Live } from '../../../../core/api/control.ts'
import { make, setText } from '../../lib/dom.ts'
import type { ConsoleVoice } from '../view.ts'
import { topAndOthers } from './demand-reasons.ts'

type Demand = NonNullable<Live['demand']>
type DemandPanel = { element: HTMLElement; draw(live: Live): void }

/** The outcomes that have words of their own; others are shown by their code. */
const worded = [
  'sold-out',
  'at-capacity',
  'not-started',
  'not-your-turn',
  'limit-reached',
  'too-many-requests',
  'stale-page',
  'sign-in-required',
  'challenge-required',
  'challenge-failed',
  'level-too-low',
  'blocked',
  'paused',
  'ended',
  'unavailable',
  'invalid-request',
] as const

export function demandPanel(voice: ConsoleVoice): DemandPanel {
  const asked = make('p', { class: 'demand__asked' })
  const list = make('dl', { class: 'demand__rows' })
  const otherRows = make('dl', { class: 'demand__rows' })
  const summary = make('summary', {})
  const more = make(
    'details',
    { class: 'more', id: 'demand-more' },
    summary,
    otherRows,
    make('p', { class: 'demand__hint' }, voice.t('demand.hint')),
  )
  const element = make(
    'section',
    { class: 'demand', id: 'demand', hidden: true },
    make('div', { class: 'demand__head' }, make('h3', {}, voice.t('demand.title')), asked),
    list,
    more,
  )

  function reasonText(reason: string): string {
    const known = worded.find((one) => one === reason)
    return known === undefined ? voice.t('demand.other', { code: reason }) : voice.t(`demand.${known}`)
  }

  function row(name: string, count: number, of: number, look: string): HTMLElement {
    const bar = make('span', { class: `demand__bar demand__bar--${look}`, 'aria-hidden': 'true' })
    bar.style.inlineSize = `${of === 0 ? 0 : (100 * count) / of}%`
    return make(
      'div',
      {},
      make('dt', {}, name),
      make('dd', {}, make('span', { class: 'demand__count' }, count.toLocaleString(voice.locale())), bar),
    )
  }

  return {
    element,
    draw({ demand }) {
      element.hidden = demand === null || demand.asked + demand.decided === 0
      if (demand === null) return
      const n = Math.max(demand.asked, demand.won + sumOf(demand.refused))
      setText(asked, voice.t('demand.asked', { n }))
      const { top, others } = topAndOthers(demand.refused)
      const rowOf = ({ reason, count }: (typeof top)[number]) => row(reasonText(reason), count, n, 'refused')
      list.replaceChildren(row(voice.t('demand.won'), demand.won, n, 'won'), ...top.map(rowOf))
      otherRows.replaceChildren(...others.map(rowOf))
      otherRows.hidden = others.length === 0
      setText(
        summary,
        others.length === 0 ? voice.t('demand.about') : voice.t('demand.more', { n: others.length }),
      )
    },
  }
}

const sumOf = (refused: Demand['refused']): number => refused.reduce((sum, { count }) => sum + count, 0)
