/** The top of a sale's page: its alarm, its header, the actions on offer, and a hint. */
import type { Live } from '../../../../core/api/control.ts'
import { pictureOf, type Sale, textIn } from '../../../../core/sale/sale.ts'
import { make } from '../../lib/dom.ts'
import { redraw } from '../../lib/redraw.ts'
import { sayFor } from '../lib/kind-words.ts'
import { workButton } from '../lib/work-button.ts'
import type { ConsoleVoice, ViewContext } from '../view.ts'
import { type ActionButton, actionButtons } from './action-buttons.ts'
import type { Action } from './actions.ts'
import { kindTag } from './kind-tag.ts'
import { needsRecovery } from './notices.ts'
import { type StartAdvice, startAdvice, startBadge } from './start-state.ts'

type Asks = {
  may: ViewContext['may']
  act(action: Action): void
  recover(): Promise<void>
}

export function saleFace(voice: ConsoleVoice, { may, act, recover }: Asks) {
  const header = make('header', { class: 'console__sale' })
  const alarm = make('div', { class: 'notices', id: 'start-alarm', role: 'alert' })
  const notices = make('div', { class: 'notices', id: 'notices', role: 'status' })
  const actions = make('div', { class: 'actions', id: 'actions' })
  let drawn = ''

  function recoverButton(): HTMLElement {
    return workButton('recover-now', 'main', voice.t('care.recover'), recover)
  }

  function actionButton({ action, label, look }: ActionButton, sale: Sale): HTMLElement {
    return make(
      'button',
      { type: 'button', class: `button button--${look}`, 'data-action': action, click: () => act(action) },
      sayFor(voice, sale.kind)(label),
    )
  }

  return {
    elements: [alarm, make('div', { class: 'console__top' }, header, actions), notices],
    /**
     * Draws what differs from the last look, and returns whether anything does. Buttons are drawn
     * again only then, so that a click never lands on one that is just replaced.
     */
    draw(now: Live): boolean {
      const { sale } = now
      const advice = startAdvice(voice, sale, now.now)
      const face = factsOf(now, advice)
      if (face === drawn) return false
      const urgent = needsRecovery(now) && may('recover') ? [recoverButton()] : []
      const offered = actionButtons(now).filter(({ action }) => may(callOf(action)))
      redraw(header, ...headerOf(voice, now, may('editSale')))
      redraw(alarm, ...alarmOf(voice, sale, advice))
      const hint = hintOf(voice, sale, advice)
      redraw(notices, ...(hint === undefined ? [] : [make('p', { class: 'notice--calm' }, hint)]))
      redraw(actions, ...urgent, ...offered.map((button) => actionButton(button, sale)))
      drawn = face
      return true
    },
  }
}

/** All that the face is drawn from, as one text to compare. */
function factsOf(live: Live, advice: StartAdvice | undefined): string {
  const { version, flag, updatedAt, archivedAt } = live.sale
  const { phase, inStep } = live
  return [version, phase, flag, updatedAt, archivedAt, inStep, advice?.key, needsRecovery(live)].join(' ')
}

function callOf(action: Action) {
  if (action === 'delete') return 'deleteSale'
  return action === 'open-now' ? 'start' : action
}

function headerOf(voice: ConsoleVoice, { sale, phase, now }: Live, mayEdit: boolean): Node[] {
  const { text, state } = startBadge(voice, { sale, phase, now })
  const badge = { class: 'badge', id: 'phase', 'data-phase': phase, 'data-start': state }
  const words = make(
    'div',
    {},
    make('p', { class: 'console__badges' }, make('span', badge, text), kindTag(voice, sale.kind)),
    make('h1', {}, textIn(sale, voice.language()).title),
    make(
      'p',
      { class: 'console__links' },
      make('a', { href: `/sales/${sale.saleId}/` }, voice.t('console.page')),
      ...(sale.archivedAt === undefined && mayEdit
        ? [' · ', make('a', { href: `#/sale/${sale.saleId}/edit`, id: 'edit' }, voice.t('do.edit'))]
        : []),
      ...(mayEdit
        ? [
            ...[' · ', make('a', { href: `#/sale/${sale.saleId}/copy`, id: 'copy' }, voice.t('do.copy'))],
            ...[
              ' · ',
              make('a', { href: `#/sale/${sale.saleId}/template`, id: 'template' }, voice.t('do.template')),
            ],
          ]
        : []),
    ),
  )
  return [make('img', { src: pictureOf(sale, 120), alt: '', width: 120, height: 120 }), words]
}

function alarmOf(voice: ConsoleVoice, sale: Sale, advice: StartAdvice | undefined): Node[] {
  return advice?.loud ? [make('p', { class: 'notice' }, adviceText(voice, sale, advice))] : []
}

/** The calm line; a loud advice is the alarm instead. */
function hintOf(voice: ConsoleVoice, sale: Sale, advice: StartAdvice | undefined): string | undefined {
  if (sale.archivedAt !== undefined) {
    return voice.t('console.archivedAt', { time: voice.moment(sale.archivedAt) })
  }
  return advice === undefined || advice.loud ? undefined : adviceText(voice, sale, advice)
}

function adviceText(voice: ConsoleVoice, sale: Sale, { key, args }: StartAdvice): string {
  const say = sayFor(voice, sale.kind)
  return say(key, { ...args, schedule: say('do.start'), openNow: say('do.open-now') })
}
