/**
 * The health of a sale as one sentence, which unfolds to what it follows from: further faults, the
 * comparison of Redis with what was written, the dead letters, the counters, and the repairs.
 */

import type { Live } from '../../../../core/api/control.ts'
import { make, setText } from '../../lib/dom.ts'
import { type Say, sayFor } from '../lib/kind-words.ts'
import { tileRow } from '../lib/tile-row.ts'
import { workButton } from '../lib/work-button.ts'
import type { ViewContext } from '../view.ts'
import { faultTexts, healthText } from './health.ts'
import { canRecover, heldBackIn, needsRecovery } from './notices.ts'
import { tilesOfKind } from './numbers.ts'
import { check, type RepairedSale, recover, sendAgain } from './repairs.ts'

type HealthPanel = {
  element: HTMLElement
  draw(live: Live): void
  /** Of nothing it is known how it is; the last answer is of `since`, epoch ms. */
  lose(since: number): void
}

/** `onDone` is called after each repair, whether it succeeded or not. */
export function healthPanel(context: ViewContext, sale: RepairedSale, onDone: () => void): HealthPanel {
  const { voice } = context
  const line = make('span', { id: 'health-line', role: 'status' })
  const more = make('ul', { class: 'health__more', id: 'health-more' })
  const counters = tileRow(voice, sale.kind, tilesOfKind(sale.kind).health, 'tiles--small')
  const care = careRows(context, sale, onDone)
  const element = make(
    'details',
    { class: 'health', id: 'health' },
    make('summary', {}, line),
    more,
    ...care.elements,
    counters.element,
    care.rebuild,
  )

  return {
    element,
    draw(live) {
      const faults = faultTexts(voice, live)
      const others = faults.slice(1)
      element.dataset.state = faults.length === 0 ? 'good' : 'bad'
      setText(line, healthText(voice, faults))
      more.hidden = others.length === 0
      const lines = others.map((text) => make('li', {}, text))
      if (more.textContent !== others.join('')) more.replaceChildren(...lines)
      counters.draw(live)
      care.draw(live)
    },
    lose(since) {
      element.dataset.state = 'unknown'
      const time = new Intl.DateTimeFormat(voice.locale(), { timeStyle: 'medium' }).format(since)
      setText(line, voice.t('health.unknown', { time }))
      more.hidden = true
      care.lose()
    },
  }
}

/** The comparison and the dead letters, each with its repair, and the rebuild. */
function careRows(context: ViewContext, sale: RepairedSale, onDone: () => void) {
  const { voice, may } = context
  const say = sayFor(voice, sale.kind)
  const button = (id: string, kind: 'plain' | 'danger', label: string, work: () => Promise<void>) =>
    workButton(id, kind, label, () => work().then(onDone))
  const driftLine = make('p', { id: 'care-drift' })
  const compared = make(
    'div',
    { class: 'care__row' },
    driftLine,
    may('reconcile')
      ? button('check', 'plain', voice.t('care.check'), () => check(context, sale))
      : undefined,
  )
  const deadLine = make('p', { id: 'care-dead' })
  let deadLetters = 0
  let written: Live['orders'] = { sold: 0, orders: 0 }
  const dead = make(
    'div',
    { class: 'care__row' },
    deadLine,
    may('redrive')
      ? button('redrive', 'plain', voice.t('care.sendAgain'), () => sendAgain(context, deadLetters))
      : undefined,
  )
  const rebuild = make(
    'div',
    { class: 'care__row' },
    make('p', {}, say('care.recoverHint')),
    button('recover', 'danger', voice.t('care.recover'), () => recover(context, sale, written)),
  )

  return {
    elements: [compared, dead],
    rebuild,
    draw(live: Live): void {
      const { drift, orders } = live
      written = orders
      // Redis has nothing of a sale that is not published or archived.
      compared.hidden = !live.sale.warmed || live.sale.archivedAt !== undefined
      setText(driftLine, driftText(say, drift, heldBackIn(live)))
      deadLetters = live.deadLetters ?? 0
      dead.hidden = deadLetters === 0
      setText(deadLine, voice.t('care.dead', { n: deadLetters }))
      // While it is needed it stands among the first buttons of the page.
      rebuild.hidden = !canRecover(live) || needsRecovery(live) || !may('recover')
    },
    lose: (): void => setText(driftLine, say('care.driftUnknown')),
  }
}

function driftText(say: Say, drift: number | null, heldBack: number): string {
  if (drift === null) return say('care.driftUnknown')
  if (drift === 0) return heldBack > 0 ? say('care.agreeHeld', { n: heldBack }) : say('care.agree')
  return say(drift > 0 ? 'care.moreInRedis' : 'care.fewerInRedis', { n: Math.abs(drift) })
}
