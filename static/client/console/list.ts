/** All sales at a glance, the current ones or those that were archived. */
import { phaseAt } from '../../../core/phase.ts'
import type { Sale } from '../../../core/sale.ts'
import { nextWindow } from '../../../core/windows.ts'
import { make } from '../dom.ts'
import { redraw } from '../redraw.ts'
import { listSales } from './api.ts'
import { moneyText, stockText } from './facts.ts'
import { kindTag } from './kind-tag.ts'
import { type SaleList, withFirstPage, withNextPage } from './sale-list.ts'
import { startAdvice, startBadge } from './start-state.ts'
import type { Leave, ViewContext } from './view.ts'

const everyMs = 5000

export function openList(context: ViewContext, archived = false): Leave {
  const { voice } = context
  // The element stays while the list is redrawn, or screen readers would read it every time.
  const alarms = make('div', { class: 'notices', id: 'start-alarms', role: 'alert' })
  const place = make('div', {})
  const rows = make('ul', { class: 'rows', id: 'sales' })
  let alarmsDrawn = ''
  let timer = 0
  let left = false

  let list: SaleList | undefined

  const look = async () => {
    const answer = await listSales({ archived })
    if (left) return
    if (answer.ok) {
      context.announce('')
      list = withFirstPage(list, answer.value)
      draw(list)
    } else if (context.explain(answer.reply)) return
    timer = window.setTimeout(look, everyMs)
  }

  const loadMore = async (from: string) => {
    const answer = await listSales({ after: from, archived })
    if (left) return
    if (!answer.ok) {
      context.explain(answer.reply)
      return
    }
    // The first page may have been read meanwhile; where more begins is the same then.
    if (list?.next !== from) return
    list = withNextPage(list, answer.value)
    draw(list)
  }

  function draw({ sales, next }: SaleList): void {
    redraw(rows, ...sales.map(row))
    drawAlarms(sales)
    redraw(
      place,
      sales.length === 0
        ? make('p', { class: 'empty' }, voice.t(archived ? 'console.noneArchived' : 'console.empty'))
        : rows,
      ...(next === null ? [] : [moreButton()]),
    )
    if (!alarms.isConnected) context.show(...head(), alarms, place, ...foot())
  }

  function head(): HTMLElement[] {
    const title = make('h1', {}, voice.t(archived ? 'console.archived' : 'console.sales'))
    if (archived)
      return [make('p', {}, make('a', { class: 'back', href: '#/' }, voice.t('console.back'))), title]
    const create = make('a', { class: 'button', href: '#/new', id: 'new-sale' }, voice.t('console.new'))
    return [make('header', { class: 'console__head' }, title, create)]
  }

  function foot(): HTMLElement[] {
    if (archived) return []
    return [make('p', {}, make('a', { href: '#/archived', id: 'archived' }, voice.t('console.archived')))]
  }

  /** The sales that were not started although their start is near or has passed. */
  function drawAlarms(sales: readonly Sale[]): void {
    const lines = sales.flatMap((sale) => {
      const advice = startAdvice(voice, sale, Date.now())
      return advice?.loud === true ? [{ sale, advice }] : []
    })
    const drawn = lines.map(({ sale, advice }) => `${sale.saleId} ${advice.key}`).join(' ')
    if (drawn === alarmsDrawn) return
    alarmsDrawn = drawn
    redraw(
      alarms,
      ...lines.map(({ sale, advice: { key, args } }) =>
        make(
          'p',
          { class: 'notice' },
          make('a', { href: `#/sale/${sale.saleId}` }, sale.title),
          ' ',
          voice.t(key === 'start.overdueText' ? 'start.listOverdue' : 'start.listSoon', args),
        ),
      ),
    )
  }

  function moreButton(): HTMLElement {
    const button = make(
      'button',
      { type: 'button', class: 'button', id: 'more-sales' },
      voice.t('console.more'),
    )
    button.addEventListener('click', () => {
      const from = list?.next
      if (from === undefined || from === null) return
      button.disabled = true
      void loadMore(from)
    })
    return button
  }

  function row(sale: Sale): HTMLElement {
    // The list carries no stock, so a sale without units still shows as open here; its own page knows.
    const now = Date.now()
    const phase = phaseAt({ ...sale, hasNext: nextWindow(sale) !== undefined }, now, -1)
    const badge = startBadge(voice, { sale, phase, now })
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
          make('span', { class: 'badge', 'data-phase': phase, 'data-start': badge.state }, badge.text),
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
