/** All sales at a glance, the current ones or those that were archived, and a search over them. */
import type { Sale } from '../../../../core/sale/sale.ts'
import { isEmptySearch, type SaleSearch } from '../../../../core/sale/sale-search.ts'
import { make } from '../../lib/dom.ts'
import { redraw } from '../../lib/redraw.ts'
import { listSales } from '../api.ts'
import { workButton } from '../lib/work-button.ts'
import type { Leave, ViewContext } from '../view.ts'
import { pauseAll, resumeAll } from './pause-all.ts'
import type { SaleList } from './sale-list.ts'
import { saleReader } from './sale-reader.ts'
import { saleRow } from './sale-row.ts'
import { addressOfSearch, goesOn, searchIn } from './search-address.ts'
import { dayInCursor, searchBar } from './search-bar.ts'
import { startAlarms } from './start-alarms.ts'

const everyMs = 5000

/** Looking through all sales takes more calls, and half an hour before a start there is time for them. */
const alarmsEveryMs = 30_000

export function openList(context: ViewContext, archived = false): Leave {
  const { voice } = context
  const alarms = startAlarms(voice)
  const place = make('div', {})
  const rows = make('ul', { class: 'rows', id: 'sales' })
  const older = make('a', { id: 'archived' }, voice.t('console.archived'))
  const resume = workButton('resume-all', 'plain', voice.t('console.resumeAll'), () => resumeAll(context))
  let hasFailed = false
  let left = false
  let alarmsAt = 0

  const bar = searchBar({
    voice,
    archived,
    search: searchIn(location.hash),
    change,
    stop: () => reader.stop(),
  })
  const reader = saleReader({
    async ask(page) {
      const answer = await listSales({ ...page, archived })
      if (page.after === undefined && !archived && answer.ok) {
        if (isEmptySearch(page) && answer.value.next === null) alarms.draw(answer.value.sales)
        else void drawAlarms()
      }
      // Other news stays until the marketer acts.
      if (answer.ok && hasFailed && !left) context.announce('')
      hasFailed = !answer.ok
      return answer
    },
    fail: (reply) => context.explain(reply),
    later(look) {
      const timer = window.setTimeout(look, everyMs)
      return () => clearTimeout(timer)
    },
    draw,
  })

  function change(search: SaleSearch): void {
    const address = addressOfSearch(archived ? '#/archived' : '#/', search)
    if (goesOn(searchIn(location.hash), search)) history.replaceState(null, '', address)
    else history.pushState(null, '', address)
    reader.begin(search)
  }

  function draw(list: SaleList, isReading: boolean): void {
    const { sales, next } = list
    redraw(rows, ...sales.map((sale) => saleRow(voice, sale, Date.now())))
    resume.hidden = !sales.some(({ flag, pausedWithAll }) => flag === 'paused' && pausedWithAll === true)
    bar.draw(list, isReading)
    // An archived sale is over, so its state is nothing to look for.
    const { find, kind } = bar.present()
    older.href = addressOfSearch('#/archived', { find, kind })
    redraw(
      place,
      ...(sales.length > 0 ? [rows] : []),
      ...(sales.length === 0 && !isReading ? [nothing(next)] : []),
      ...(next === null ? [] : [moreButton(isReading)]),
    )
    if (alarms.element.isConnected) return
    context.show(
      ...headOf(context, archived),
      alarms.element,
      bar.element,
      place,
      ...footOf(context, archived, older, resume),
    )
  }

  /** The alarms are about all sales, of which a search and the first page leave some out. */
  async function drawAlarms(): Promise<void> {
    if (Date.now() < alarmsAt + alarmsEveryMs) return
    alarmsAt = Date.now()
    const waiting: Sale[] = []
    let after: string | null | undefined
    while (after !== null) {
      const answer = await listSales({ state: 'waiting', after })
      // Why there is no answer, the list reports.
      if (left || !answer.ok) return
      waiting.push(...answer.value.sales)
      after = answer.value.next
    }
    alarms.draw(waiting)
  }

  function nothing(next: string | null): HTMLElement {
    const isSearching = !isEmptySearch(bar.present())
    const args = { what: bar.words(), day: dayInCursor(voice, next) }
    const searched = voice.t(next === null ? 'search.none' : 'search.noneSince', args)
    const none = voice.t(archived ? 'console.noneArchived' : 'console.empty')
    return make('p', { class: 'empty' }, isSearching ? searched : none)
  }

  /** It keeps the focus while it works. */
  function moreButton(isReading: boolean): HTMLElement {
    const label = voice.t(isEmptySearch(bar.present()) ? 'console.more' : 'search.older')
    const click = () => (isReading ? undefined : reader.more())
    return make(
      'button',
      { type: 'button', class: 'button', id: 'more-sales', 'aria-disabled': String(isReading), click },
      label,
    )
  }

  reader.begin(bar.present())
  return () => {
    left = true
    reader.leave()
    bar.leave()
  }
}

function headOf({ voice, may }: ViewContext, archived: boolean): HTMLElement[] {
  const title = make('h1', {}, voice.t(archived ? 'console.archived' : 'console.sales'))
  if (archived)
    return [make('p', {}, make('a', { class: 'back', href: '#/' }, voice.t('console.back'))), title]
  const create = make('a', { class: 'button', href: '#/new', id: 'new-sale' }, voice.t('console.new'))
  return [make('header', { class: 'console__head' }, title, may('createSale') ? create : undefined)]
}

function footOf(
  context: ViewContext,
  archived: boolean,
  older: HTMLElement,
  resume: HTMLElement,
): HTMLElement[] {
  if (archived) return []
  const { voice, may } = context
  const link = make('p', {}, older)
  if (!may('pauseAll')) return [link]
  const pause = workButton('pause-all', 'plain', voice.t('console.pauseAll'), () => pauseAll(context))
  return [link, make('p', { class: 'console__switch' }, pause, resume)]
}
