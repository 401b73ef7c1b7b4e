/** The sections of a report, in the order of its readers' questions. */
import type { SaleReport } from '../../../core/report/sale-report.ts'
import { variantNamesIn } from '../../../core/sale/variants.ts'
import { demandKey } from '../../messages/codes.ts'
import { type Html, html } from '../html.ts'
import { shareBar } from './chart.ts'
import { comparedSection } from './compared.ts'
import { keyFigures } from './key-figures.ts'
import { paceSection } from './pace-section.ts'
import { nothing, section, type Tile, table, tiles } from './parts.ts'
import type { ReportVoice } from './voice.ts'

export function sectionsOf(voice: ReportVoice, report: SaleReport, earlier?: SaleReport): Html[] {
  return [
    keyFigures(voice, report),
    earlier === undefined ? nothing : comparedSection(voice, report, earlier),
    paceSection(voice, report),
    demand(voice, report),
    payments(voice, report),
    packets(voice, report),
    coupons(voice, report),
    orders(voice, report),
    sources(voice, report),
    variants(voice, report),
    terms(voice, report),
  ]
}

function demand(voice: ReportVoice, { demand }: SaleReport): Html {
  const { t, number, share } = voice
  if (demand === null)
    return section(
      voice,
      'report.demand',
      html`<p class="note">${t('report.demand.unknown')}</p>
`,
    )
  const { asked, won, refused } = demand
  const nameOf = (reason: string) => {
    const known = demandKey(reason)
    return known === undefined ? t('demand.other', { code: reason }) : t(known)
  }
  const outcomes = [
    { name: t('report.demand.won'), count: won },
    ...refused.map(({ reason, count }) => ({ name: nameOf(reason), count })),
  ]
  const rows = outcomes.map(
    ({ name, count }) =>
      html`<tr><th scope="row">${name}</th><td>${number(count)}</td><td>${share(count, asked)}</td><td class="bar">${shareBar(asked === 0 ? 0 : count / asked)}</td></tr>
`,
  )
  return section(
    voice,
    'report.demand',
    html`<table><caption>${t('report.demand.caption', { n: asked })}</caption>
<thead><tr><th scope="col">${t('report.demand.outcome')}</th><th scope="col">${t('report.demand.requests')}</th><th scope="col">${t('report.demand.share')}</th><td class="bar"></td></tr></thead>
<tbody>
${rows}</tbody></table>
`,
  )
}

function payments(voice: ReportVoice, { payments }: SaleReport): Html {
  if (payments === null) return nothing
  const { t, number, share, sums, duration } = voice
  const { payable, paid, revenue, disputed, refundDue, refundReturned, medianMs, p95Ms } = payments
  const all: Tile[] = [
    [t('report.payable'), number(payable)],
    [t('report.paidOrders'), number(paid), share(paid, payable)],
    [t('report.revenue'), sums(revenue)],
    ...(Object.values(disputed).some((sum) => sum !== 0)
      ? [[t('report.disputed'), sums(disputed)] satisfies Tile]
      : []),
    [t('report.refundDue'), sums(refundDue)],
    [t('report.refundReturned'), sums(refundReturned)],
    [t('report.median'), medianMs === null ? '–' : duration(medianMs)],
    [t('report.p95'), p95Ms === null ? '–' : duration(p95Ms)],
  ]
  return section(voice, 'report.payments', tiles(all))
}

function packets(voice: ReportVoice, { packets, sale: { currency } }: SaleReport): Html {
  if (packets === null) return nothing
  const { t, money, share } = voice
  const { budget, claimed, returned, smallest, median, largest } = packets
  const sum = (amount: number | null) => (amount === null ? '–' : money(amount, currency))
  const all: Tile[] = [
    [t('report.budget'), sum(budget)],
    [t('report.claimedMoney'), sum(claimed), share(claimed, budget)],
    [t('report.returned'), sum(returned)],
    [t('report.smallest'), sum(smallest)],
    [t('report.middle'), sum(median)],
    [t('report.largest'), sum(largest)],
  ]
  return section(voice, 'report.packets', tiles(all))
}

function coupons(voice: ReportVoice, { coupons, units }: SaleReport): Html {
  if (coupons === null) return nothing
  const { t, number, share } = voice
  const { redeemed } = coupons
  const all: Tile[] = [
    [t('report.sold.coupon'), number(units.sold)],
    redeemed === null
      ? [t('report.redeemed'), '–']
      : [t('report.redeemed'), number(redeemed), share(redeemed, units.sold)],
    [t('report.void'), number(coupons.void)],
  ]
  return section(voice, 'report.coupons', tiles(all))
}

function orders(voice: ReportVoice, { statuses, payments }: SaleReport): Html {
  if (statuses.length === 0) return nothing
  const { t, number, sums } = voice
  const withMoney = payments !== null
  const rows = statuses.map(({ status, orders, units, amount }) => [
    t(`order.status.${status}`),
    number(orders),
    number(units),
    ...(withMoney ? [sums(amount)] : []),
  ])
  const headings = [
    ...(['report.orders.status', 'report.orders.orders', 'report.orders.units'] as const),
    ...(withMoney ? (['report.orders.amount'] as const) : []),
  ]
  return section(voice, 'report.orders', table(voice, 'report.orders', { headings, rows }))
}

function sources(voice: ReportVoice, { sources, orders }: SaleReport): Html {
  if (sources.length === 0) return nothing
  const { t, number, share } = voice
  const names: Readonly<Record<string, string>> = {
    '(none)': t('report.sources.none'),
    '(other)': t('report.sources.other'),
  }
  const rows = sources.map((one) => [
    names[one.source] ?? one.source,
    number(one.orders),
    share(one.orders, orders),
    number(one.units),
  ])
  const headings = [
    ...(['report.sources.source', 'report.orders.orders'] as const),
    ...(['report.demand.share', 'report.orders.units'] as const),
  ]
  return section(voice, 'report.sources', table(voice, 'report.sources', { headings, rows }))
}

function variants(voice: ReportVoice, { variants, sale }: SaleReport): Html {
  if (variants.length === 0) return nothing
  const { t, number } = voice
  const shown = (n: number | null) => (n === null ? t('report.unlimited') : number(n))
  const names = new Map(variantNamesIn(sale.variants ?? [], voice.language).map(({ id, name }) => [id, name]))
  const rows = variants.map(({ id, name, offered, sold, left }) => [
    names.get(id) ?? name,
    shown(offered),
    number(sold),
    shown(left),
  ])
  const headings = [
    ...(['report.variants.name', 'report.variants.offered'] as const),
    ...(['report.variants.sold', 'report.variants.left'] as const),
  ]
  return section(voice, 'report.variants', table(voice, 'report.variants', { headings, rows }))
}

function terms(voice: ReportVoice, { payments, sale: { kind } }: SaleReport): Html {
  const { t } = voice
  const names = [
    ...(['soldOut', 'available'] as const),
    ...(payments === null ? [] : (['paid', 'refunds'] as const)),
    ...(['requests', 'private'] as const),
  ]
  const all = [
    [t(`report.sold.${kind}`), t(`report.means.sold.${kind}`)] as const,
    ...names.map((name) => [t(`report.term.${name}`), t(`report.means.${name}`)] as const),
  ]
  const each = all.map(
    ([term, meaning]) => html`<dt>${term}</dt><dd>${meaning}</dd>
`,
  )
  return section(
    voice,
    'report.terms',
    html`<dl class="terms">
${each}</dl>
`,
  )
}
