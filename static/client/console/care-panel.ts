/**
 * What keeps a sale true: whether Redis and what was written agree, the dead letters, and the
 * repairs.
 */

import type { Live } from '../../../core/api/control.ts'
import { make, setText } from '../dom.ts'
import { type Cared, check, recover, sendAgain } from './care.ts'
import { type Say, sayFor } from './kind-words.ts'
import { canRecover, needsRecovery } from './notices.ts'
import type { ViewContext } from './view.ts'
import { workButton } from './work-button.ts'

type CarePanel = { element: HTMLElement; draw(live: Live): void }

/** `onDone` is called after each repair, whether it succeeded or not. */
export function carePanel(context: ViewContext, sale: Cared, onDone: () => void): CarePanel {
  const { voice, may } = context
  const say = sayFor(voice, sale.kind)
  const driftLine = make('p', { id: 'care-drift' })
  const deadLine = make('p', { id: 'care-dead' })
  const button = (id: string, kind: 'plain' | 'danger', label: string, work: () => Promise<void>) =>
    workButton(id, kind, label, () => work().then(onDone))

  const dead = make(
    'div',
    { class: 'care__row' },
    deadLine,
    may('redrive')
      ? button('redrive', 'plain', voice.t('care.sendAgain'), () => sendAgain(context))
      : undefined,
  )
  const rebuild = make(
    'details',
    { class: 'more' },
    make('summary', {}, voice.t('care.more')),
    make('p', {}, say('care.recoverHint')),
    button('recover', 'danger', voice.t('care.recover'), () => recover(context, sale)),
  )
  const compared = make(
    'div',
    { class: 'care__row' },
    driftLine,
    may('reconcile')
      ? button('check', 'plain', voice.t('care.check'), () => check(context, sale))
      : undefined,
  )
  const element = make(
    'section',
    { class: 'panel care' },
    make('h2', {}, voice.t('care.title')),
    compared,
    dead,
    rebuild,
  )

  return {
    element,
    draw(live) {
      const { deadLetters, drift } = live
      element.hidden = !live.sale.warmed
      // Redis has nothing of an archived sale to compare.
      compared.hidden = live.sale.archivedAt !== undefined
      setText(driftLine, driftText(say, drift))
      driftLine.toggleAttribute('data-alarm', (drift ?? 0) !== 0)
      dead.hidden = (deadLetters ?? 0) === 0
      setText(deadLine, voice.t('care.dead', { n: deadLetters ?? 0 }))
      // While it is needed it stands among the first buttons of the page.
      rebuild.hidden = !canRecover(live) || needsRecovery(live) || !may('recover')
    },
  }
}

function driftText(say: Say, drift: number | null): string {
  if (drift === null) return say('care.driftUnknown')
  if (drift === 0) return say('care.agree')
  return say(drift > 0 ? 'care.moreInRedis' : 'care.fewerInRedis', { n: Math.abs(drift) })
}
