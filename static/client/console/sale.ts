/** One sale: its face and flips, the live numbers, the stock and the settings; looked at every second. */
import { make } from '../dom.ts'
import { type Action, actionsFor } from './actions.ts'
import { changeStock, getLive, type Live } from './api.ts'
import { flip } from './flip.ts'
import { livePanel } from './live-panel.ts'
import { stockPanel } from './stock-panel.ts'
import { type ConsoleVoice, type Desk, type Leave, reasonText } from './view.ts'

const everyMs = 1000
const unseenEveryMs = 10_000

export function openSale(desk: Desk, saleId: string): Leave {
  const { voice } = desk
  let timer = 0
  let left = false
  let failing = false
  let faceDrawn = ''
  let latest: Live | undefined

  const header = make('header', { class: 'console__sale' })
  const actions = make('div', { class: 'actions', id: 'actions' })
  const settings = make('dl', { class: 'facts' })
  const live = livePanel(voice)
  const stock = stockPanel(voice, (delta) => void restock(delta))

  desk.show(
    make('p', {}, make('a', { class: 'back', href: '#/' }, voice.t('console.back'))),
    header,
    actions,
    live.element,
    make(
      'div',
      { class: 'panels' },
      stock.element,
      make('section', { class: 'panel' }, make('h2', {}, voice.t('console.facts')), settings),
    ),
  )

  async function look(): Promise<void> {
    const answer = await getLive(saleId)
    if (left) return
    if (answer.ok) {
      if (failing) desk.tell('')
      failing = false
      draw(answer.value)
    } else {
      failing = true
      if (latest !== undefined && answer.reply.kind === 'lost') desk.tell(voice.t('live.lost'))
      else if (desk.explain(answer.reply)) return
    }
    clearTimeout(timer)
    timer = window.setTimeout(look, document.hidden ? unseenEveryMs : everyMs)
  }

  function draw(now: Live): void {
    latest = now
    const { version, flag, updatedAt } = now.sale
    const face = `${version} ${now.phase} ${flag} ${updatedAt}`
    // Buttons are drawn again only when they change, so that a click never lands on one that is just replaced.
    if (face !== faceDrawn) {
      header.replaceChildren(...faceOf(voice, now))
      actions.replaceChildren(...actionsFor({ ...now.sale, phase: now.phase }).map(button))
      settings.replaceChildren(...settingsOf(voice, now))
    }
    faceDrawn = face
    live.draw(now)
    stock.draw(now)
  }

  function button(action: Action, i: number): HTMLElement {
    const kind = action === 'close' || action === 'delete' ? 'danger' : i === 0 ? 'main' : 'plain'
    const click = async () => {
      if (latest !== undefined && (await flip(desk, latest.sale, action, latest.now)) && !left) void look()
    }
    return make(
      'button',
      { type: 'button', class: `button button--${kind}`, 'data-action': action, click: () => void click() },
      voice.t(`do.${action}`),
    )
  }

  async function restock(delta: number): Promise<void> {
    desk.tell(voice.t('do.working'))
    const answer = await changeStock(saleId, delta)
    desk.tell(answer.ok ? voice.t('do.done') : reasonText(voice, answer.reply))
    if (!left) void look()
  }

  void look()
  return () => {
    left = true
    clearTimeout(timer)
    live.destroy()
  }
}

function faceOf(voice: ConsoleVoice, { sale, phase }: Live): Node[] {
  const armed = phase === 'scheduled' && sale.flag === 'on'
  const badge = { class: 'badge', id: 'phase', 'data-phase': phase }
  const words = make(
    'div',
    {},
    make('p', {}, make('span', badge, voice.t(armed ? 'console.armed' : `phase.${phase}`))),
    make('h1', {}, sale.title),
    make(
      'p',
      { class: 'console__links' },
      make('a', { href: `/sales/${sale.saleId}/` }, voice.t('console.page')),
      ' · ',
      make('a', { href: `#/sale/${sale.saleId}/edit`, id: 'edit' }, voice.t('do.edit')),
    ),
  )
  return [make('img', { src: sale.image, alt: '', width: 120, height: 120 }), words]
}

function settingsOf(voice: ConsoleVoice, { sale }: Live): Node[] {
  const rows: [string, string][] = [
    [voice.t('console.starts'), voice.moment(sale.startsAt)],
    [voice.t('console.ends'), voice.moment(sale.endsAt)],
    [voice.t('console.price'), voice.money(sale.price, sale.currency)],
    [voice.t('console.limit'), String(sale.limitPerShopper)],
    [voice.t('console.epoch'), String(sale.epoch)],
    [voice.t('console.version'), String(sale.version)],
  ]
  return rows.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value)))
}
