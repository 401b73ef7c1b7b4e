/** One sale: its settings, the flips, the stock, and the live numbers with their chart. */
import { make, setText } from '../dom.ts'
import { type Action, actionsFor } from './actions.ts'
import { changeStock, getLive, type Live } from './api.ts'
import { type Chart, startChart } from './chart.ts'
import { flip } from './flip.ts'
import { type Sample, withSample } from './samples.ts'
import { type Desk, type Leave, reasonText } from './view.ts'

const everyMs = 1000

const numbers = ['remaining', 'booked', 'sold', 'outbox', 'queue', 'inFlight', 'deadLetters'] as const

export function openSale(desk: Desk, saleId: string): Leave {
  const { voice } = desk
  let timer = 0
  let left = false
  let failing = false
  let drawn = ''
  let samples: readonly Sample[] = []
  let latest: Live | undefined

  const header = make('header', { class: 'console__sale' })
  const actions = make('div', { class: 'actions', id: 'actions' })
  const tiles = new Map(numbers.map((name) => [name, make('dd', { id: `live-${name}` }, '–')]))
  const chartPlace = make('div', { class: 'chart', role: 'img', 'aria-label': voice.t('live.chart') })
  const stockLine = make('p', { id: 'stock-line' })
  const delta = make('input', { id: 'delta', inputmode: 'numeric', value: '1', autocomplete: 'off' })
  const stockForm = make(
    'div',
    { class: 'stock' },
    make('label', { for: 'delta' }, voice.t('stock.delta')),
    delta,
    make(
      'button',
      { type: 'button', class: 'button button--plain', id: 'stock-remove', click: () => void restock(-1) },
      voice.t('stock.remove'),
    ),
    make(
      'button',
      { type: 'button', class: 'button button--plain', id: 'stock-add', click: () => void restock(1) },
      voice.t('stock.add'),
    ),
  )
  const stockPart = make(
    'section',
    { class: 'panel' },
    make('h2', {}, voice.t('stock.title')),
    stockLine,
    stockForm,
  )
  const settings = make('dl', { class: 'facts' })
  let chart: Chart | undefined

  desk.show(
    make('p', {}, make('a', { class: 'back', href: '#/' }, voice.t('console.back'))),
    header,
    actions,
    make(
      'section',
      { class: 'panel' },
      make('h2', {}, voice.t('live.title')),
      make(
        'dl',
        { class: 'tiles' },
        ...numbers.map((name) => make('div', {}, make('dt', {}, voice.t(`live.${name}`)), tiles.get(name))),
      ),
      chartPlace,
    ),
    make(
      'div',
      { class: 'panels' },
      stockPart,
      make('section', { class: 'panel' }, make('h2', {}, voice.t('console.facts')), settings),
    ),
  )

  async function look(): Promise<void> {
    clearTimeout(timer)
    const answer = await getLive(saleId)
    if (left) return
    if (answer.ok) {
      if (failing) desk.tell('')
      failing = false
      draw(answer.value)
    } else if (latest === undefined || answer.reply.kind === 'refused') {
      failing = true
      desk.explain(answer.reply)
    } else {
      failing = true
      desk.tell(voice.t('live.lost'))
    }
    timer = window.setTimeout(look, document.hidden ? everyMs * 10 : everyMs)
  }

  function draw(live: Live): void {
    latest = live
    const { sale, phase, stock } = live
    const face = `${sale.version} ${phase} ${sale.flag} ${sale.updatedAt} ${sale.warmed}`
    if (face !== drawn) drawFace(live)
    drawn = face
    const remaining = stock?.available ?? sale.stock
    const shown: Record<(typeof numbers)[number], string> = {
      remaining: remaining === -1 ? voice.t('live.unlimited') : count(remaining),
      booked: count(stock?.booked ?? 0),
      sold: count(live.sold),
      outbox: count(live.outbox),
      queue: count(live.queue.visible),
      inFlight: count(live.queue.inFlight),
      deadLetters: count(live.deadLetters),
    }
    for (const name of numbers) {
      const tile = tiles.get(name)
      if (tile !== undefined) setText(tile, shown[name])
    }
    tiles.get('deadLetters')?.toggleAttribute('data-alarm', live.deadLetters > 0)
    samples = withSample(samples, { at: live.now, remaining, sold: live.sold })
    chart ??= startChart(
      chartPlace,
      { remaining: voice.t('live.remaining'), sold: voice.t('live.sold') },
      voice.locale(),
    )
    chart.draw(samples)
    const total = stock?.total ?? sale.stock
    stockForm.hidden = total === -1 || !sale.warmed
    setText(stockLine, stockText(live, total))
  }

  function drawFace({ sale, phase }: Live): void {
    const armed = phase === 'scheduled' && sale.flag === 'on'
    header.replaceChildren(
      make('img', { src: sale.image, alt: '', width: 120, height: 120 }),
      make(
        'div',
        {},
        make(
          'p',
          {},
          make(
            'span',
            { class: 'badge', id: 'phase', 'data-phase': phase },
            voice.t(armed ? 'console.armed' : `phase.${phase}`),
          ),
        ),
        make('h1', {}, sale.title),
        make(
          'p',
          { class: 'console__links' },
          make('a', { href: `/sales/${sale.saleId}/` }, voice.t('console.page')),
          ' · ',
          make('a', { href: `#/sale/${sale.saleId}/edit`, id: 'edit' }, voice.t('do.edit')),
        ),
      ),
    )
    actions.replaceChildren(...actionsFor({ ...sale, phase }).map(button))
    const rows: [string, string][] = [
      [voice.t('console.starts'), voice.moment(sale.startsAt)],
      [voice.t('console.ends'), voice.moment(sale.endsAt)],
      [voice.t('console.price'), voice.money(sale.price, sale.currency)],
      [voice.t('console.limit'), count(sale.limitPerShopper)],
      [voice.t('console.epoch'), count(sale.epoch)],
      [voice.t('console.version'), count(sale.version)],
    ]
    settings.replaceChildren(
      ...rows.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))),
    )
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

  async function restock(sign: 1 | -1): Promise<void> {
    const units = /^\d{1,8}$/.test(delta.value.trim()) ? Number(delta.value) : 0
    delta.setAttribute('aria-invalid', String(units < 1))
    if (units < 1) return delta.focus()
    desk.tell(voice.t('do.working'))
    const answer = await changeStock(saleId, sign * units)
    desk.tell(answer.ok ? voice.t('do.done') : reasonText(voice, answer.reply))
    if (!left) void look()
  }

  function stockText({ sale, stock }: Live, total: number): string {
    if (!sale.warmed) return voice.t('live.waiting')
    if (total === -1) return voice.t('stock.unlimited')
    return voice.t('stock.now', { total: count(total), booked: count(stock?.booked ?? 0) })
  }

  const count = (n: number) => n.toLocaleString(voice.locale())

  void look()
  return () => {
    left = true
    clearTimeout(timer)
    chart?.destroy()
  }
}
