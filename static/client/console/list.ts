/** All sales at a glance, the current ones or those that were archived. */
import { make } from '../dom.ts'
import { redraw } from '../redraw.ts'
import { listSales } from './api.ts'
import { pauseAll } from './pause-all.ts'
import { type SaleList, withFirstPage, withNextPage } from './sale-list.ts'
import { saleRow } from './sale-row.ts'
import { startAlarms } from './start-alarms.ts'
import type { Leave, ViewContext } from './view.ts'

const everyMs = 5000

export function openList(context: ViewContext, archived = false): Leave {
  const { voice } = context
  const alarms = startAlarms(voice)
  const place = make('div', {})
  const rows = make('ul', { class: 'rows', id: 'sales' })
  let timer = 0
  let left = false
  let hasFailed = false
  let list: SaleList | undefined

  const look = async () => {
    const answer = await listSales({ archived })
    if (left) return
    if (answer.ok) {
      // Other news stays until the marketer acts.
      if (hasFailed) context.announce('')
      hasFailed = false
      list = withFirstPage(list, answer.value)
      draw(list)
    } else {
      hasFailed = true
      if (context.explain(answer.reply)) return
    }
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
    redraw(rows, ...sales.map((sale) => saleRow(voice, sale, Date.now())))
    alarms.draw(sales)
    redraw(
      place,
      sales.length === 0
        ? make('p', { class: 'empty' }, voice.t(archived ? 'console.noneArchived' : 'console.empty'))
        : rows,
      ...(next === null ? [] : [moreButton()]),
    )
    if (alarms.element.isConnected) return
    context.show(...headOf(context, archived), alarms.element, place, ...footOf(context, archived))
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

  void look()
  return () => {
    left = true
    clearTimeout(timer)
  }
}

function headOf({ voice, may }: ViewContext, archived: boolean): HTMLElement[] {
  const title = make('h1', {}, voice.t(archived ? 'console.archived' : 'console.sales'))
  if (archived)
    return [make('p', {}, make('a', { class: 'back', href: '#/' }, voice.t('console.back'))), title]
  const create = make('a', { class: 'button', href: '#/new', id: 'new-sale' }, voice.t('console.new'))
  return [make('header', { class: 'console__head' }, title, may('createSale') ? create : undefined)]
}

function footOf(context: ViewContext, archived: boolean): HTMLElement[] {
  if (archived) return []
  const { voice, may } = context
  const older = make('p', {}, make('a', { href: '#/archived', id: 'archived' }, voice.t('console.archived')))
  if (!may('pauseAll')) return [older]
  const click = () => void pauseAll(context)
  const pause = { type: 'button', class: 'button button--plain', id: 'pause-all', click } as const
  return [older, make('p', { class: 'console__switch' }, make('button', pause, voice.t('console.pauseAll')))]
}
