/** The sections of a report, in the order of its readers' questions. */
import type { SaleReport } from '../../../core/report/sale-report.ts'
import { demandReason } from '../../messages/demand.ts'
import { type Html, html } from '../html.ts'
import { paceCharts, shareBar } from './chart.ts'
import type { ReportKey, ReportVoice } from './voice.ts'

/** Charts of more rounds would fill the report. */
const mostCharts = 6

export function sectionsOf(voice: ReportVoice, report: SaleReport): Html[] {
  return [
    keyFigures(voice, report),
    pace(voice, report),
    demand(voice, report),
    payments(voice, report),
    packets(voice, report),
    coupons(voice, report),
    orders(voice, report),
    variants(voice, report),
    terms(voice, report),
  ]
}

const nothing = html``

function section({ t }: ReportVoice, key: ReportKey, ...content: Html[]): Html {
  return html`<section>
<h2>${t(key)}</h2>
${content}</section>
`
}

/** A label, its value, and what the value is to be compared with. */
type Tile = readonly [label: string, value: string, aside?: string]

function tiles(all: readonly Tile[]): Html {
  const each = all.map(
    ([label, value, aside]) =>
      html`<div><dt>${label}</dt><dd>${value}${aside === undefined ? nothing : html`<small>${aside}</small>`}</dd></div>
`,
  )
  return html`<dl class="tiles">
${each}</dl>
`
}

/** Rows of a table; the first cell names its row. */
function table(
  { t }: ReportVoice,
  caption: string,
  headings: readonly ReportKey[],
  rows: readonly string[][],
): Html {
  const heads = headings.map((key) => html`<th scope="col">${t(key)}</th>`)
  const lines = rows.map(([name = '', ...cells]) => {
    const others = cells.map((cell) => html`<td>${cell}</td>`)
    return html`<tr><th scope="row">${name}</th>${others}</tr>
`
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${lines}</tbody></table></div>
`
}

function keyFigures(voice: ReportVoice, report: SaleReport): Html {
  const { t, number, decimal, share, money, duration } = voice
  const { sale, units, shoppers, orders, payments, packets, coupons, demand, pace } = report
  const { kind, currency } = sale
  const [only] = pace.rounds.length === 1 ? pace.rounds : []
  const out = only?.soldOutMs ?? null
  const all: (Tile | undefined)[] = [
    [
      t(`report.sold.${kind}`),
      number(units.sold),
      units.offered === null ? t('report.unlimited') : t('report.ofOffered', { n: units.offered }),
    ],
    units.left === null ? undefined : [t('report.left'), number(units.left)],
    [
      t(`report.shoppers.${kind}`),
      number(shoppers),
      orders > shoppers ? t('report.ordersEach', { n: orders / shoppers }) : undefined,
    ],
    payments === null
      ? undefined
      : [
          t('report.paidOrders'),
          number(payments.paid),
          t('report.shareOf', { share: share(payments.paid, payments.payable), n: payments.payable }),
        ],
    payments === null ? undefined : [t('report.revenue'), money(payments.revenue, currency)],
    packets === null ? undefined : [t('report.claimedMoney'), money(packets.claimed, currency)],
    coupons === null || coupons.redeemed === null
      ? undefined
      : [t('report.redeemed'), number(coupons.redeemed), share(coupons.redeemed, units.sold)],
    out === null ? undefined : [t(`report.soldOutIn.${kind}`), duration(out)],
    pace.peakPerSecond === 0 ? undefined : [t('report.peak'), number(pace.peakPerSecond)],
    demand === null
      ? undefined
      : [
          t('report.requests'),
          number(demand.asked),
          units.sold === 0 ? undefined : t('report.perUnit', { n: decimal(demand.asked / units.sold) }),
        ],
  ]
  return section(voice, 'report.key', tiles(all.filter((tile) => tile !== undefined)))
}

function pace(voice: ReportVoice, { pace: { rounds } }: SaleReport): Html {
  const { t, number, duration, time } = voice
  if (rounds.every(({ taken }) => taken === 0)) return nothing
  const nameOf = (index: number) =>
    rounds.length === 1 ? t('report.onlyRound') : t('report.roundN', { n: index + 1 })
  const charts = rounds
    .slice(0, mostCharts)
    .map((round, index) =>
      round.bars === null ? nothing : paceCharts(voice, nameOf(index), round, round.bars),
    )
  const after = (ms: number | null) => (ms === null ? '–' : t('report.after', { time: duration(ms) }))
  const rows = rounds.map((round, index) => [
    nameOf(index),
    time(round.opensAt),
    round.available === null ? t('report.unlimited') : number(round.available),
    number(round.sold),
    ...[after(round.firstMs), after(round.halfMs), after(round.soldOutMs)],
  ])
  const more =
    rounds.length > mostCharts
      ? html`<p class="note">${t('report.moreRounds', { n: mostCharts })}</p>
`
      : nothing
  const headings = [
    ...(['report.rounds.name', 'report.rounds.opened', 'report.rounds.available'] as const),
    ...(['report.rounds.sold', 'report.rounds.first', 'report.rounds.half', 'report.rounds.out'] as const),
  ]
  return section(voice, 'report.pace', ...charts, more, table(voice, t('report.rounds'), headings, rows))
}

function demand(voice: ReportVoice, { demand }: SaleReport): Html {
  const { t, number, share, say } = voice
  if (demand === null)
    return section(
      voice,
      'report.demand',
      html`<p class="note">${t('report.demand.unknown')}</p>
`,
    )
  const { asked, won, refused } = demand
  const nameOf = (reason: string) => {
    const known = demandReason(reason)
    return known === undefined ? t('demand.other', { code: reason }) : say(known)
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

function payments(voice: ReportVoice, { payments, sale: { currency } }: SaleReport): Html {
  if (payments === null) return nothing
  const { t, number, share, money, duration } = voice
  const { payable, paid, revenue, refundDue, refundReturned, medianMs, p95Ms } = payments
  const all: Tile[] = [
    [t('report.payable'), number(payable)],
    [t('report.paidOrders'), number(paid), share(paid, payable)],
    [t('report.revenue'), money(revenue, currency)],
    [t('report.refundDue'), money(refundDue, currency)],
    [t('report.refundReturned'), money(refundReturned, currency)],
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

function orders(voice: ReportVoice, { statuses, payments, sale: { currency } }: SaleReport): Html {
  if (statuses.length === 0) return nothing
  const { t, number, money } = voice
  const withMoney = payments !== null
  const rows = statuses.map(({ status, orders, units, amount }) => [
    t(`order.status.${status}`),
    number(orders),
    number(units),
    ...(withMoney ? [money(amount, currency)] : []),
  ])
  const headings = [
    ...(['report.orders.status', 'report.orders.orders', 'report.orders.units'] as const),
    ...(withMoney ? (['report.orders.amount'] as const) : []),
  ]
  return section(voice, 'report.orders', table(voice, t('report.orders'), headings, rows))
}

function variants(voice: ReportVoice, { variants }: SaleReport): Html {
  if (variants.length === 0) return nothing
  const { t, number } = voice
  const shown = (n: number | null) => (n === null ? t('report.unlimited') : number(n))
  const rows = variants.map(({ name, offered, sold, left }) => [
    name,
    shown(offered),
    number(sold),
    shown(left),
  ])
  const headings = [
    ...(['report.variants.name', 'report.variants.offered'] as const),
    ...(['report.variants.sold', 'report.variants.left'] as const),
  ]
  return section(voice, 'report.variants', table(voice, t('report.variants'), headings, rows))
}

function terms(voice: ReportVoice, { payments }: SaleReport): Html {
  const names = [
    ...(['sold', 'soldOut', 'available'] as const),
    ...(payments === null ? [] : (['paid', 'refunds'] as const)),
    ...(['requests', 'private'] as const),
  ]
  const each = names.map(
    (name) => html`<dt>${voice.t(`report.term.${name}`)}</dt><dd>${voice.t(`report.means.${name}`)}</dd>
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
