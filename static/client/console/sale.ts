/** One sale: its face and flips, and its panels; looked at every second. */

import type { Live } from '../../../core/api/control.ts'
import type { Sale } from '../../../core/sale.ts'
import type { Arguments } from '../../messages/text.ts'
import { make } from '../dom.ts'
import { redraw } from '../redraw.ts'
import { type Action, actionsFor, repeatOf } from './actions.ts'
import { changeStock, getLive, type Refused } from './api.ts'
import { recover } from './care.ts'
import { flip } from './flip.ts'
import { kindTag } from './kind-tag.ts'
import { sayFor } from './kind-words.ts'
import { needsRecovery, noticesOf } from './notices.ts'
import { salePanels } from './sale-panels.ts'
import { actionKey, startAdvice, startBadge } from './start-state.ts'
import { stockKeys } from './stock-keys.ts'
import { type ConsoleVoice, type Leave, reasonText, type ViewContext } from './view.ts'
import { workButton } from './work-button.ts'

const everyMs = 1000
const unseenEveryMs = 10_000

// Outlives a view, which another language or a visit to the list draws again.
const keys = stockKeys(() => crypto.randomUUID())

export function openSale(context: ViewContext, saleId: string): Leave {
  const { voice } = context
  let timer = 0
  let left = false
  let failing = false
  let faceDrawn = ''
  let latest: Live | undefined
  let flipping = false
  let panels: ReturnType<typeof salePanels> | undefined

  const back = make('p', {}, make('a', { class: 'back', href: '#/' }, voice.t('console.back')))
  const header = make('header', { class: 'console__sale' })
  const actions = make('div', { class: 'actions', id: 'actions' })
  const alarm = make('div', { class: 'notices', id: 'start-alarm', role: 'alert' })
  const notices = make('div', { class: 'notices', id: 'notices', role: 'status' })

  context.show(back, header, alarm, notices, actions)

  async function look(): Promise<void> {
    const early = flipping
    const answer = await getLive(saleId)
    if (left) return
    if (answer.ok) {
      if (failing) context.announce('')
      failing = false
      // Half-way through our own flip the parts differ by nature; what counts is what its answer leaves behind.
      draw({ ...answer.value, inStep: answer.value.inStep || early || flipping })
    } else {
      failing = true
      if (latest !== undefined && answer.reply.kind === 'lost') context.announce(voice.t('live.lost'))
      else if (context.explain(answer.reply)) return
    }
    clearTimeout(timer)
    timer = window.setTimeout(look, document.hidden ? unseenEveryMs : everyMs)
  }

  /** Which panels there are follows from the kind of the sale, and that never changes. */
  function build(sale: Sale): ReturnType<typeof salePanels> {
    const built = salePanels(context, sale, { restock: (delta) => void restock(delta), lookAgain })
    context.show(back, header, alarm, notices, actions, ...built.elements)
    return built
  }

  function draw(now: Live): void {
    latest = now
    panels ??= build(now.sale)
    const { version, flag, updatedAt } = now.sale
    const warnings = noticesOf(now)
    const advice = startAdvice(voice, now.sale, now.now)
    const face = [
      version,
      now.phase,
      flag,
      updatedAt,
      now.sale.archivedAt,
      now.inStep,
      advice?.key,
      ...warnings,
    ].join(' ')
    // Buttons are drawn again only when they change, so that a click never lands on one that is just replaced.
    if (face !== faceDrawn) {
      const say = sayFor(voice, now.sale.kind)
      redraw(header, ...faceOf(voice, now))
      const facts = { ...now.sale, phase: now.phase, inStep: now.inStep }
      const repeat = repeatOf(facts)
      const args: Arguments = repeat === undefined ? {} : { action: say(`do.${repeat}`) }
      const toStart = advice && say(advice.key, { ...advice.args, action: say('do.start') })
      const { archivedAt } = now.sale
      const rest =
        archivedAt === undefined
          ? advice?.loud
            ? undefined
            : toStart
          : voice.t('console.archivedAt', { time: voice.moment(archivedAt) })
      const hint = rest === undefined ? [] : [make('p', { class: 'notice--calm' }, rest)]
      redraw(alarm, ...(advice?.loud ? [make('p', { class: 'notice' }, toStart)] : []))
      redraw(notices, ...warnings.map((key) => make('p', { class: 'notice' }, say(key, args))), ...hint)
      const urgent = needsRecovery(now) ? [recoverButton(now.sale)] : []
      const usual = actionsFor(facts).map((action, i) => {
        const key = actionKey(action, now.sale, now)
        return button(action, say(key), i === 0 && urgent.length === 0 && key !== 'do.openNow')
      })
      redraw(actions, ...urgent, ...usual)
      panels.drawSale(now.sale)
    }
    faceDrawn = face
    panels.draw(now)
  }

  function lookAgain(): void {
    if (!left) void look()
  }

  function recoverButton(sale: Sale): HTMLElement {
    return workButton('recover-now', 'main', voice.t('care.recover'), () =>
      recover(context, sale).then(lookAgain),
    )
  }

  function button(action: Action, label: string, isFirst: boolean): HTMLElement {
    const kind = action === 'close' || action === 'delete' ? 'danger' : isFirst ? 'main' : 'plain'
    const click = async () => {
      if (latest === undefined) return
      const changed = await flip(context, latest, action, (busy) => {
        flipping = busy
      })
      if (changed) lookAgain()
    }
    return make(
      'button',
      { type: 'button', class: `button button--${kind}`, 'data-action': action, click: () => void click() },
      label,
    )
  }

  async function restock(delta: number): Promise<void> {
    context.announce(voice.t('do.working'))
    const answer = await changeStock(saleId, delta, keys.keyOf(saleId, delta))
    if (answer.ok) keys.done(saleId)
    context.announce(answer.ok ? voice.t('do.done') : restockRefused(answer.reply))
    lookAgain()
  }

  /**
   * Without a definite answer it is unknown whether the units were counted; repeating the same
   * request shows it.
   */
  function restockRefused(reply: Refused): string {
    const definite = reply.kind === 'refused' && reply.status < 500
    return definite ? reasonText(voice, reply) : voice.t('stock.again')
  }

  void look()
  return () => {
    left = true
    clearTimeout(timer)
    panels?.leave()
  }
}

function faceOf(voice: ConsoleVoice, { sale, phase, now }: Live): Node[] {
  const { text, state } = startBadge(voice, { sale, phase, now })
  const badge = { class: 'badge', id: 'phase', 'data-phase': phase, 'data-start': state }
  const words = make(
    'div',
    {},
    make('p', { class: 'console__badges' }, make('span', badge, text), kindTag(voice, sale.kind)),
    make('h1', {}, sale.title),
    make(
      'p',
      { class: 'console__links' },
      make('a', { href: `/sales/${sale.saleId}/` }, voice.t('console.page')),
      ...(sale.archivedAt === undefined
        ? [' · ', make('a', { href: `#/sale/${sale.saleId}/edit`, id: 'edit' }, voice.t('do.edit'))]
        : []),
    ),
  )
  return [make('img', { src: sale.image, alt: '', width: 120, height: 120 }), words]
}
