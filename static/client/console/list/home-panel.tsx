/** The sales of now and of the day around it at a glance, and one line for each problem. Loaded after the list. */
import type { SaleNumbers, SalesPage } from '../../../../core/api/control-answers.ts'
import type { SaleTrouble, SystemHealth } from '../../../../core/api/health.ts'
import { healthGuides, type SeenTrouble, saleGuides } from '../../../../core/api/health-guides.ts'
import type { SaleId } from '../../../../core/ids.ts'
import { noPace, type Pace, paceInList, waitingShoppers } from '../../../../core/sale/live-pace.ts'
import { type ReadinessState, readiness } from '../../../../core/sale/readiness.ts'
import { type Sale, textIn } from '../../../../core/sale/sale.ts'
import { isNear } from '../../../../core/sale/sale-search.ts'
import { homeMessages, reachMessages, systemHealthMessages } from '../../../messages/catalogues.ts'
import type { Arguments } from '../../../messages/text.ts'
import { getHealth, listSales } from '../api.ts'
import { findingText, inTrouble } from '../health/system-text.ts'
import { saleMoment } from '../lib/sale-moment.ts'
import { waitingText } from '../sale/present-text.ts'
import { startAdvice } from '../sale/start-state.ts'
import { useView, useViewWith } from '../view-place.ts'
import { type NumbersWanted, numbersShown } from './list-numbers.ts'

export { AlertLines }

/** The sales above the list, of which a search and the first page may leave some out. */
export const readNear = (numbers: NumbersWanted) => listSales({ state: 'near', numbers })

export const readHealth = getHealth

/** All sales that do not open until they are started; undefined after a failure, and once the list was left. */
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
    return [[saleId, paceInList(paces.get(saleId) ?? noPace, windowIndex, found, now)]]
  })
  return new Map([...paces, ...seen])
}

/** Cards that fit above the list. */
const mostCards = 6

/** What is shown first. */
const order: readonly ReadinessState[] = ['open', 'paused', 'overdue', 'needs-start-soon', 'needs-start', 'scheduled']

type HomeProps = { near: SalesPage; paces: Paces; now: number }

export function HomePanel({ near: { sales, numbers = {} }, paces, now }: HomeProps) {
  const { voice } = useViewWith(homeMessages)
  const all = sales.filter((sale) => isNear(sale, now)).toSorted((a, b) => rank(a, now) - rank(b, now))
  const isMore = all.length > mostCards
  return (
    <section id="home" class="home" hidden={all.length === 0}>
      <h2>{voice.t('home.title')}</h2>
      <ul class="home__cards">
        {all.slice(0, mostCards).map((sale) => (
          <HomeCard key={sale.saleId} {...{ sale, now, numbers: numbers[sale.saleId], pace: paces.get(sale.saleId) }} />
        ))}
      </ul>
      {isMore && (
        <p>
          <a id="home-more" href="#/?state=near">
            {voice.t('home.more', { n: all.length - mostCards })}
          </a>
        </p>
      )}
    </section>
  )
}

/** What sells comes first, then what opens next, then what ended last. */
function rank(sale: Sale, now: number): number {
  const { state, startsAt } = readiness(sale, now)
  const place = order.indexOf(state)
  const distance = Math.min(1, Math.abs((state === 'ended' ? sale.endsAt : startsAt) - now) / 1e12)
  return (place === -1 ? order.length : place) + distance
}

type CardProps = { sale: Sale; numbers: SaleNumbers | undefined; pace: Pace | undefined; now: number }

function HomeCard({ sale, numbers, pace = noPace, now }: CardProps) {
  const { voice } = useViewWith(homeMessages)
  const { voice: reach } = useViewWith(reachMessages)
  const { state, startsAt } = readiness(sale, now)
  const isToCome = sale.epoch === 0 || state === 'scheduled'
  const rows = isToCome
    ? [[voice.t('home.opens'), saleMoment(voice, sale, startsAt, voice.shortMoment(startsAt))] as const]
    : [
        ...numbersShown(voice, sale, numbers),
        ...(state === 'open'
          ? [[reach.t('pace.waiting'), waitingText(voice, waitingShoppers(pace, { sale, now }))] as const]
          : []),
      ]
  return (
    <li class="panel">
      <a dir="auto" href={`#/sale/${sale.saleId}`} data-home={sale.saleId}>
        {textIn(sale, voice.language()).title}
      </a>
      <dl class="home__numbers">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

type NumbersProps = { sale: Sale; numbers: SaleNumbers | undefined }

/** The numbers of a started sale in its row of the list. */
export function RowNumbers({ sale, numbers }: NumbersProps) {
  const { voice } = useViewWith(homeMessages)
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

/**
 * The sales that were not started although their start is near or has passed, above the list. A line stays while the
 * list is drawn again, or screen readers would read it every time.
 */
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

/** A sale that is not among the known ones has an id alone. */
type SaleAlert = {
  saleId: SaleId
  sale: Sale | undefined
  trouble: SaleTrouble | SeenTrouble
  args: Arguments & { n?: number; at?: number }
  guide: string
}

/** A pause is meant for a moment: after this time it may have been forgotten, ms. */
const pausedLongMs = 600_000

/** Dead letters are sent again every ten minutes; those that die again have been seen since, ms. */
const redrivenLatelyMs = 660_000

/** What stops all of a sale says more than what follows from it. */
const follows: readonly SaleAlert['trouble'][] = ['unrepaired', 'rebuilding', 'waiting', 'drift']

/** The most urgent first. `now` is epoch ms; without an answer about `health` only what the list says. */
export function alertsOf(
  sales: readonly Sale[],
  numbers: Readonly<Record<SaleId, SaleNumbers>>,
  health: SystemHealth | undefined,
  now: number,
): SaleAlert[] {
  const known = new Map(sales.map((sale) => [sale.saleId, sale]))
  const silent = health?.parts.find(({ part }) => part === 'stock')?.names ?? []
  const alertOf = (saleId: SaleId, trouble: SaleAlert['trouble'], args: SaleAlert['args'] = {}): SaleAlert => ({
    ...{ saleId, sale: known.get(saleId), trouble, args, guide: saleGuides[trouble] },
  })
  const seen = [...known.values()].flatMap((sale) => {
    const { saleId, databases, updatedAt } = sale
    const { left, redrivenAt = 0 } = numbers[saleId] ?? {}
    const { state } = readiness(sale, now)
    const lost = databases.filter((name) => silent.includes(name))
    const found: SaleAlert[] = []
    if (state === 'open' && lost.length > 0) found.push(alertOf(saleId, 'database', { names: lost.join(', ') }))
    else if (state === 'open' && left === null) found.push(alertOf(saleId, 'unknown'))
    if (state === 'paused' && now - updatedAt > pausedLongMs) found.push(alertOf(saleId, 'paused', { at: updatedAt }))
    if (now - redrivenAt < redrivenLatelyMs) found.push(alertOf(saleId, 'dead', { at: redrivenAt }))
    return found
  })
  const stopped = new Set(
    seen.filter(({ trouble }) => trouble === 'database' || trouble === 'unknown').map(({ saleId }) => saleId),
  )
  const reported = (health?.sales ?? [])
    .filter(({ saleId, trouble }) => !(stopped.has(saleId) && follows.includes(trouble)))
    .map(({ saleId, trouble, count }) => alertOf(saleId, trouble, { n: count }))
  return [...seen, ...reported]
}

/** More at once have one cause, which the page of the health says. */
const mostLines = 12

const words = { ...homeMessages, ...systemHealthMessages }

type Props = { pages: readonly Partial<SalesPage>[]; health: SystemHealth | undefined; now: number }

/**
 * The alerts above the list: those of sales, then the parts of the system that are in trouble. `pages` are what is
 * known of sales. A line stays while the list is drawn again, or screen readers would read it every time.
 */
function AlertLines({ pages, health, now }: Props) {
  const { voice } = useViewWith(words)
  const numbers = Object.assign({}, ...pages.map((page) => page.numbers))
  const alerts = alertsOf(
    pages.flatMap((page) => page.sales ?? []),
    numbers,
    health,
    now,
  )
  const parts = inTrouble(health?.parts ?? [])
  const isMore = alerts.length > mostLines
  return (
    <div class="notices" id="alerts" role="alert">
      {alerts.slice(0, mostLines).map(({ saleId, sale, trouble, args, guide }) => (
        <p key={`${saleId} ${trouble}`} class="notice" data-alert={trouble}>
          <a dir="auto" href={`#/sale/${saleId}`}>
            {sale ? textIn(sale, voice.language()).title : saleId}
          </a>{' '}
          {voice.t(`alert.${trouble}`, { ...args, time: args.at === undefined ? '' : voice.shortMoment(args.at) })}{' '}
          <code>{guide}</code>
        </p>
      ))}
      {isMore && (
        <p key="more" class="notice">
          <a href="#/health">{voice.t('alert.more', { n: alerts.length - mostLines })}</a>
        </p>
      )}
      {parts.map((part) => (
        <p key={part.part} class="notice" data-alert={part.part}>
          <a href="#/health">{voice.t(`system.part.${part.part}`)}</a> {findingText(voice, part)}{' '}
          {voice.t(`system.do.${part.part}`)} <code>{healthGuides[part.part]}</code>
        </p>
      ))}
      {alerts.length + parts.length > 0 && (
        <p key="local" class="notices__hint">
          {voice.t('alert.local')}
        </p>
      )}
    </div>
  )
}
