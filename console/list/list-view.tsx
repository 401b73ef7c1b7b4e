/** Lists current or archived sales, with a search. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SalesPage } from '../../core/api/control-answers.ts'
import { pictureOf, type Sale, textIn } from '../../core/sale/sale.ts'
import { isEmptySearch, type SaleSearch } from '../../core/sale/sale-search.ts'
import { listSales } from '../api.ts'
import { part } from '../lazy-view.tsx'
import { saleMoment } from '../parts/sale-moment.ts'
import { BackLink, WorkButton } from '../parts/work-button.tsx'
import { moneyText, SaleBadges, stockText } from '../sale/facts.tsx'
import { useView, type ViewContext } from '../view.ts'
import type { Paces } from './home-panel.tsx'
import { pauseAll, resumeAll } from './pause-all.ts'
import { type NumbersWanted, numberLooks, saleReader } from './sale-reader.ts'
import { addressOfSearch, dayInCursor, type Found, goesOn, SearchBar, searchIn, searchWords } from './search-bar.tsx'

// The panel above the list loads after the list.
const home = part(() => import('./home-panel.tsx'))

const pollEveryMs = 5000

/** Alarms look through all sales, which takes more calls, and begin half an hour before a start: so they can be later. */
const alarmsEveryMs = 30_000

export function openList(context: ViewContext, archived: boolean): void {
  const { isLeft } = context
  let search = searchIn(location.hash)
  let found: Found | undefined
  let alarms: readonly Sale[] = []
  let near: SalesPage | undefined
  let paces: Paces = new Map()
  let hasFailed = false
  let alarmsAt = 0
  const looks = numberLooks(Date.now)
  /** True when there are more sales than the first page has. */
  let isPart = false

  const reader = saleReader({
    async ask(page) {
      const isFirst = page.after === undefined
      const numbers = !isFirst || looks.next()
      const answer = await listSales({ ...page, archived, numbers })
      if (answer.ok) looks.counted('list', numbers, answer.value)
      else if (found === undefined) looks.restart()
      if (isFirst && !archived && answer.ok) {
        isPart = !isEmptySearch(page) || answer.value.next !== null
        if (!isPart) {
          alarms = answer.value.sales
          keepNear(answer.value)
        }
        findAbove(numbers)
      }
      // Other news stays until the marketer acts.
      if (answer.ok && hasFailed && !isLeft()) context.announce('')
      hasFailed = !answer.ok
      return answer
    },
    fail: (reply) => isLeft() || context.explain(reply),
    later(look) {
      const timer = window.setTimeout(() => isLeft() || look(), pollEveryMs)
      return () => clearTimeout(timer)
    },
    draw: (list, isReading) => draw({ search, list, progress: isReading ? 'reading' : 'read' }),
  })

  /** Reads what is above the list: with each first page, and as soon as the script for it is there. */
  function findAbove(numbers: NumbersWanted): void {
    if (!isPart) return
    void findAlarms()
    void findNear(near === undefined || numbers)
  }

  async function findAlarms(): Promise<void> {
    if (home.loaded === undefined || Date.now() < alarmsAt + alarmsEveryMs) return
    alarmsAt = Date.now()
    const waiting = await home.loaded.readWaiting(isLeft)
    // The list reports the failure.
    if (waiting === undefined) return
    alarms = waiting
    if (found !== undefined) draw(found)
  }

  async function findNear(numbers: NumbersWanted): Promise<void> {
    const answer = await home.loaded?.readNear(numbers)
    // The list reports the failure.
    if (isLeft() || !answer?.ok) return
    looks.counted('near', numbers, answer.value)
    keepNear(answer.value)
    if (found !== undefined) draw(found)
  }

  function keepNear(page: SalesPage): void {
    near = { ...page, numbers: { ...near?.numbers, ...page.numbers } }
    paces = home.loaded?.pacesAfter(paces, page, Date.now()) ?? paces
  }

  function change(next: SaleSearch): void {
    // The next view may still load, while this one is in sight.
    if (isLeft()) return
    if (JSON.stringify(next) === JSON.stringify(search)) return
    search = next
    looks.restart()
    const address = addressOfSearch(archived ? '#/archived' : '#/', search)
    if (goesOn(searchIn(location.hash), search)) history.replaceState(null, '', address)
    else history.pushState(null, '', address)
    if (found !== undefined) draw({ ...found, search, progress: 'begun' })
    reader.begin(search)
  }

  function draw(now: Found): void {
    found = now
    const loaded = () => archived || isLeft() || findAbove(true)
    context.draw(<SalesList {...{ archived, found, alarms, near, paces, reader, change, loaded }} />)
  }

  reader.begin(search)
}

type Props = {
  archived: boolean
  found: Found
  alarms: readonly Sale[]
  near: SalesPage | undefined
  paces: Paces
  reader: Pick<ReturnType<typeof saleReader>, 'more' | 'stop' | 'leave'>
  change(search: SaleSearch): void
  loaded(): void
}

function SalesList({ archived, found, alarms, near, paces, reader, change, loaded }: Props) {
  const { voice, may } = useView()
  const Home = useHome(loaded)
  const { search, list, progress } = found
  const { sales, next } = list
  const isSearching = !isEmptySearch(search)
  const isReading = progress === 'reading'
  const searched = { what: searchWords(voice, search), day: dayInCursor(voice, next) }
  const nothing = isSearching
    ? voice.t(next === null ? 'search.none' : 'search.noneSince', searched)
    : voice.t(archived ? 'console.noneArchived' : 'console.empty')
  // Sales with a card are not repeated in the list.
  const cards = new Set(
    Home && near && !isSearching ? Home.onCards(near.sales, Date.now()).map((one) => one.saleId) : [],
  )
  const rows = sales.filter(({ saleId }) => !cards.has(saleId))
  useEffect(() => reader.leave, [])
  return (
    <>
      {archived ? (
        <>
          <BackLink to="#/" text={voice.t('console.back')} />
          <h1>{voice.t('console.archived')}</h1>
        </>
      ) : (
        <header class="console__head">
          <h1>{voice.t('console.sales')}</h1>
          {may('createSale') && (
            <a class="button" href="#/new" id="new-sale">
              {voice.t('console.new')}
            </a>
          )}
        </header>
      )}
      {Home && <Home.StartAlarms sales={alarms} />}
      {Home && !archived && <Home.AlertLines pages={[list, near ?? {}]} now={Date.now()} />}
      {Home && near && !isSearching && <Home.HomePanel near={near} paces={paces} now={Date.now()} />}
      <SearchBar archived={archived} found={found} change={change} stop={reader.stop} />
      <div class="stack">
        {rows.length > 0 && (
          <ul class="rows" id="sales">
            {rows.map((sale) => (
              <SaleRow key={sale.saleId} sale={sale} left={list.numbers?.[sale.saleId]?.left} now={Date.now()}>
                {Home && <Home.RowNumbers sale={sale} numbers={list.numbers?.[sale.saleId]} />}
              </SaleRow>
            ))}
          </ul>
        )}
        {sales.length === 0 && progress === 'read' && <p class="empty">{nothing}</p>}
        {/* It keeps the focus while it works. */}
        {next !== null && (
          <button
            type="button"
            class="button"
            id="more-sales"
            aria-disabled={isReading}
            onClick={() => isReading || reader.more()}
          >
            {voice.t(isSearching ? 'search.older' : 'console.more')}
          </button>
        )}
      </div>
      {!archived && <Foot found={found} near={near} />}
    </>
  )
}

/** The component above the list, once its script is there; `then` is called when it has come. */
function useHome(then: () => void) {
  const { voice, announce } = useView()
  const [Home, setHome] = useState(home.loaded)
  useEffect(() => {
    if (Home) return
    home.load().then(
      (loaded) => {
        home.loaded = loaded
        setHome(loaded)
        then()
      },
      () => announce(voice.t('part.failed')),
    )
  }, [])
  return Home
}

/** The switch for all sales, and the link to archived ones; these are over, so their search has no state. */
function Foot({ found: { search, list }, near }: { found: Found; near: SalesPage | undefined }) {
  const context = useView()
  const { voice, may } = context
  const { find, kind } = search
  const canResume = [...list.sales, ...(near?.sales ?? [])].some(
    ({ flag, pausedWithAll }) => flag === 'paused' && pausedWithAll === true,
  )
  return (
    <>
      <p class="row">
        <a id="archived" href={addressOfSearch('#/archived', { find, kind })}>
          {voice.t('console.archived')}
        </a>
      </p>
      {may('pauseAll') && (
        <p class="row">
          <WorkButton id="pause-all" look="plain" work={() => pauseAll(context)}>
            {voice.t('console.pauseAll')}
          </WorkButton>
          <WorkButton id="resume-all" look="plain" hidden={!canResume} work={() => resumeAll(context)}>
            {voice.t('console.resumeAll')}
          </WorkButton>
        </p>
      )}
    </>
  )
}

/** `left`: the units that are left; `children` are its numbers, whose script comes after the list. */
type RowProps = { sale: Sale; left: number | null | undefined; now: number; children: ComponentChildren }

function SaleRow({ sale, left, now, children }: RowProps) {
  const { voice } = useView()
  const facts = [
    sale.saleId,
    moneyText(voice, sale),
    stockText(voice, sale),
    saleMoment(voice, sale, sale.startsAt, voice.shortMoment(sale.startsAt)),
  ]
  return (
    <li data-sale-id={sale.saleId}>
      <a href={`#/sale/${sale.saleId}`}>
        <img src={pictureOf(sale, 72)} alt="" width={72} height={72} />
        <span class="rows__words">
          <strong dir="auto">{textIn(sale, voice.language()).title}</strong>
          <small>{facts.map((fact, i) => [i > 0 && ' · ', <span class="fact">{fact}</span>])}</small>
          {children}
        </span>
        <SaleBadges {...{ sale, left, now }} />
      </a>
    </li>
  )
}
