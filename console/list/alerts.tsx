/** Shows an alert above the list for each problem with a sale. */
import type { SaleNumbers, SalesPage } from '../../core/api/control-answers.ts'
import type { SaleTrouble, SystemHealth } from '../../core/api/health.ts'
import { type ConsoleTrouble, saleGuides } from '../../core/api/health-guides.ts'
import type { SaleId } from '../../core/ids.ts'
import { readiness } from '../../core/sale/readiness.ts'
import { type Sale, textIn } from '../../core/sale/sale.ts'
import type { Arguments } from '../../templates/messages/text.ts'
import { useHealth } from '../parts/repeated-read.ts'
import { useView } from '../view.ts'

/** A sale that is not among the known ones has an id alone. */
type SaleAlert = {
  saleId: SaleId
  sale: Sale | undefined
  trouble: SaleTrouble | ConsoleTrouble
  args: Arguments & { n?: number; at?: number }
  guide: string
}

/** A pause is meant for a moment: after this time it may have been forgotten, ms. */
const pausedLongMs = 600_000

/** Dead letters are sent again every ten minutes; those that die again have been seen since, ms. */
const redrivenLatelyMs = 660_000

/** Troubles that only follow from another one, which is shown instead. */
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
const maxLines = 12

/** The signs of the system change about once a minute. */
const healthEveryMs = 30_000

type Props = { pages: readonly Partial<SalesPage>[]; now: number }

/** Keeps its elements across redraws, or screen readers would read the lines each time. */
export function AlertLines({ pages, now }: Props) {
  const { voice } = useView()
  // Without an answer nothing is known of it; the list reports the failure.
  const { health, isLost } = useHealth(healthEveryMs)
  const numbers = Object.assign({}, ...pages.map((page) => page.numbers))
  const alerts = alertsOf(
    pages.flatMap((page) => page.sales ?? []),
    numbers,
    isLost ? undefined : health,
    now,
  )
  const isMore = alerts.length > maxLines
  return (
    <div class="notices" id="alerts" role="alert">
      {alerts.slice(0, maxLines).map(({ saleId, sale, trouble, args, guide }) => (
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
          <a href="#/health">{voice.t('alert.more', { n: alerts.length - maxLines })}</a>
        </p>
      )}
      {alerts.length > 0 && (
        <p key="local" class="note">
          {voice.t('alert.local')}
        </p>
      )}
    </div>
  )
}
