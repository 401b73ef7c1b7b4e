/** Shows cards for current and near sales, and a line for each problem. Loaded after the list. */
import type { SaleNumbers, SalesPage } from '../../core/api/control-answers.ts'
import { noPace, type Pace, updatePaceInList, waitingShoppers } from '../../core/sale/live-pace.ts'
import { type ReadinessState, readiness } from '../../core/sale/readiness.ts'
import { type Sale, textIn } from '../../core/sale/sale.ts'
import { isNear } from '../../core/sale/sale-search.ts'
import { listSales } from '../api.ts'
import { FactsList } from '../parts/facts-list.tsx'
import { saleMoment } from '../parts/sale-moment.ts'
import { SaleBadges } from '../sale/facts.tsx'
import { numbersShown } from '../sale/numbers.ts'
import { waitingText } from '../sale/present-text.ts'
import { startAdvice } from '../sale/start-state.ts'
import { useView } from '../view.ts'
import { AlertLines } from './alerts.tsx'
import type { NumbersWanted } from './sale-reader.ts'

export { AlertLines }

/** Reads the sales for the cards, which a search or the first page may omit. */
export const readNear = (numbers: NumbersWanted) => listSales({ state: 'near', numbers })

/** Reads all sales that wait for a manual start; undefined after a failure, and once the list was left. */
export async function readWaiting(isLeft: () => boolean): Promise<Sale[] | undefined> {
  const waiting: Sale[] = []
  let after: string | null | undefined
  while (after !== null) {
    const answer = await listSales({ state: 'waiting', after })
    if (isLeft() || !answer.ok) return undefined
    waiting.push(...answer.value.sales)
    after = answer.value.next
  }
  return waiting
}

/** The paces of sales by their ids. */
export type Paces = ReadonlyMap<string, Pace>

/** `paces` after the numbers of `page`, as they were read at `now` (epoch ms), of the sales that are open. */
export function pacesAfter(paces: Paces, { sales, numbers = {} }: SalesPage, now: number): Paces {
  const seen = sales.flatMap((sale): [string, Pace][] => {
    const { saleId, windowIndex } = sale
    const found = numbers[saleId]
    if (found === undefined || readiness(sale, now).state !== 'open') return []
    return [[saleId, updatePaceInList(paces.get(saleId) ?? noPace, windowIndex, found, now)]]
  })
  return new Map([...paces, ...seen])
}

/** Cards that fit above the list. */
const maxCards = 6

/** The order of the cards. */
const order: readonly ReadinessState[] = ['open', 'paused', 'overdue', 'needs-start-soon', 'needs-start', 'scheduled']

const nearOf = (sales: readonly Sale[], now: number): Sale[] =>
  sales.filter((sale) => isNear(sale, now)).toSorted((a, b) => rank(a, now) - rank(b, now))

/** The sales that have a card above the list. */
export const onCards = (sales: readonly Sale[], now: number): Sale[] => nearOf(sales, now).slice(0, maxCards)

type HomeProps = { near: SalesPage; paces: Paces; now: number }

export function HomePanel({ near: { sales, numbers = {} }, paces, now }: HomeProps) {
  const { voice } = useView()
  const all = nearOf(sales, now)
  const isMore = all.length > maxCards
  return (
    <section id="home" class="stack" hidden={all.length === 0}>
      <h2>{voice.t('home.title')}</h2>
      <ul class="grid">
        {all.slice(0, maxCards).map((sale) => (
          <HomeCard key={sale.saleId} {...{ sale, now, numbers: numbers[sale.saleId], pace: paces.get(sale.saleId) }} />
        ))}
      </ul>
      {isMore && (
        <p>
          <a id="home-more" href="#/?state=near">
            {voice.t('home.more', { n: all.length - maxCards })}
          </a>
        </p>
      )}
    </section>
  )
}

/** Ranks selling sales first, then the next ones to open, then the last ones that ended. */
function rank(sale: Sale, now: number): number {
  const { state, startsAt } = readiness(sale, now)
  const place = order.indexOf(state)
  const distance = Math.min(1, Math.abs((state === 'ended' ? sale.endsAt : startsAt) - now) / 1e12)
  return (place === -1 ? order.length : place) + distance
}

type CardProps = { sale: Sale; numbers: SaleNumbers | undefined; pace: Pace | undefined; now: number }

function HomeCard({ sale, numbers, pace = noPace, now }: CardProps) {
  const { voice } = useView()
  const { state, startsAt } = readiness(sale, now)
  const isToCome = sale.epoch === 0 || state === 'scheduled'
  const rows = isToCome
    ? [[voice.t('home.opens'), saleMoment(voice, sale, startsAt, voice.shortMoment(startsAt))] as const]
    : [
        ...numbersShown(voice, sale, numbers),
        ...(state === 'open'
          ? [[voice.t('pace.waiting'), waitingText(voice, waitingShoppers(pace, { sale, now }))] as const]
          : []),
      ]
  return (
    <li class="panel">
      <a dir="auto" href={`#/sale/${sale.saleId}`} data-home={sale.saleId}>
        {textIn(sale, voice.language()).title}
      </a>
      <SaleBadges {...{ sale, now }} left={numbers?.left} />
      <FactsList rows={rows} />
    </li>
  )
}

type NumbersProps = { sale: Sale; numbers: SaleNumbers | undefined }

/** The numbers of a started sale in its row of the list. */
export function RowNumbers({ sale, numbers }: NumbersProps) {
  const { voice } = useView()
  if (sale.epoch === 0) return null
  return (
    <small>
      {numbersShown(voice, sale, numbers).map(([name, value], i) => [
        i > 0 && ' · ',
        <span class="fact">
          {name} <b>{value}</b>
        </span>,
      ])}
    </small>
  )
}

/** The sales that wait for a start that is near or has passed; the lines stay, as those of the alerts do. */
export function StartAlarms({ sales }: { sales: readonly Sale[] }) {
  const { voice } = useView()
  const lines = sales.flatMap((sale) => {
    const advice = startAdvice(voice, sale, Date.now())
    return advice?.loud === true ? [{ sale, ...advice }] : []
  })
  return (
    <div class="notices" id="start-alarms" role="alert">
      {lines.map(({ sale, key, args }) => (
        <p key={sale.saleId} class="notice">
          <a dir="auto" href={`#/sale/${sale.saleId}`}>
            {textIn(sale, voice.language()).title}
          </a>{' '}
          {voice.t(key === 'start.overdueText' ? 'start.listOverdue' : 'start.listSoon', args)}
        </p>
      ))}
    </div>
  )
}
