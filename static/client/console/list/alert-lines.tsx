/** The alerts above the list: those of sales, then the parts of the system that are in trouble. */
import type { SalesPage } from '../../../../core/api/control-answers.ts'
import type { SystemHealth } from '../../../../core/api/health.ts'
import { healthGuides } from '../../../../core/api/health-guides.ts'
import { textIn } from '../../../../core/sale/sale.ts'
import { homeMessages, systemHealthMessages } from '../../../messages/catalogues.ts'
import { findingText, inTrouble } from '../health/system-text.ts'
import { useViewWith } from '../view-place.ts'
import { alertsOf } from './alerts.ts'

/** More at once have one cause, which the page of the health says. */
const mostLines = 12

const words = { ...homeMessages, ...systemHealthMessages }

type Props = { pages: readonly Partial<SalesPage>[]; health: SystemHealth | undefined; now: number }

/** `pages` are what is known of sales. A line stays while the list is drawn again, or screen readers would read it every time. */
export function AlertLines({ pages, health, now }: Props) {
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
          <a href={`#/sale/${saleId}`}>{sale ? textIn(sale, voice.language()).title : saleId}</a>{' '}
          {voice.t(`alert.${trouble}`, {
            ...args,
            time: args.at === undefined ? '' : voice.shortMoment(args.at),
          })}{' '}
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
