/** All sales at a glance. */
import { phaseAt } from '../../../core/phase.ts'
import { nextSlot } from '../../../core/slots.ts'
import { make } from '../dom.ts'
import { opensByItself } from './actions.ts'
import { listSales } from './api.ts'
import { moneyText, stockText } from './facts.ts'
import { kindTag } from './kind-tag.ts'
import type { ConsoleSale } from './read-sale.ts'
import type { Desk, Leave } from './view.ts'

const everyMs = 5000

export function openList(desk: Desk): Leave {
  const { voice } = desk
  let timer = 0
  let left = false

  const look = async () => {
    const answer = await listSales()
    if (left) return
    if (answer.ok) {
      desk.tell('')
      draw(answer.value)
    } else if (desk.explain(answer.reply)) return
    timer = window.setTimeout(look, everyMs)
  }

  function draw(sales: readonly ConsoleSale[]): void {
    const newest = [...sales].sort((a, b) => b.startsAt - a.startsAt)
    const head = make(
      'header',
      { class: 'console__head' },
      make('h1', {}, voice.t('console.sales')),
      make('a', { class: 'button', href: '#/new', id: 'new-sale' }, voice.t('console.new')),
    )
    const rows =
      newest.length === 0
        ? make('p', { class: 'empty' }, voice.t('console.empty'))
        : make('ul', { class: 'rows', id: 'sales' }, ...newest.map(row))
    desk.show(head, rows)
  }

  function row(sale: ConsoleSale): HTMLElement {
    // The list carries no stock, so a sale without units still shows as open here; its own page knows.
    const phase = phaseAt({ ...sale, hasNext: nextSlot(sale) !== undefined }, Date.now(), -1)
    const armed = opensByItself({ ...sale, phase })
    const facts = [moneyText(voice, sale), stockText(voice, sale), voice.shortMoment(sale.startsAt)]
    return make(
      'li',
      { 'data-sale-id': sale.saleId },
      make(
        'a',
        { href: `#/sale/${sale.saleId}` },
        make('img', { src: sale.image, alt: '', width: 72, height: 72 }),
        make(
          'span',
          { class: 'rows__words' },
          make('strong', {}, sale.title),
          make(
            'small',
            {},
            ...facts.flatMap((fact, i) => [i === 0 ? '' : ' · ', make('span', { class: 'fact' }, fact)]),
          ),
        ),
        make(
          'span',
          { class: 'console__badges' },
          kindTag(voice, sale.kind),
          make(
            'span',
            { class: 'badge', 'data-phase': phase },
            voice.t(armed ? 'console.armed' : `phase.${phase}`),
          ),
        ),
      ),
    )
  }

  void look()
  return () => {
    left = true
    clearTimeout(timer)
  }
}
