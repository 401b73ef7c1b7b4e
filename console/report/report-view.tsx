/** The report of a sale: its table is read part by part and added up here. It has sums only, also as CSV. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { readReport, reportTable } from '../../core/report/read-report.ts'
import { reportCsv } from '../../core/report/report-csv.ts'
import type { SaleReport } from '../../core/report/sale-report.ts'
import { textIn } from '../../core/sale/sale.ts'
import { variantNamesIn } from '../../core/sale/variants.ts'
import { durationText } from '../../templates/messages/duration-text.ts'
import { saveFile } from '../../web/save.ts'
import { control, getTablePart } from '../api.ts'
import { DemandPanel } from '../gate/demand-panel.tsx'
import { DataTable } from '../parts/data-table.tsx'
import type { Translator } from '../parts/kind-words.ts'
import { saleMoment } from '../parts/sale-moment.ts'
import { type Tile, Tiles } from '../parts/tiles.tsx'
import { BackLink, PlainButton } from '../parts/work-button.tsx'
import { type ConsoleVoice, failureText, useView, type ViewContext } from '../view.ts'

/** How often the number of rows is announced: a screen reader says each of them. */
const announceMs = 2000

/** Fewer orders of each shopper than this are as good as one. */
const worthSaying = 1.05

/** Charts of more rounds would fill the screen. */
const maxCharts = 6

export function ReportView({ saleId }: { saleId: string }) {
  const context = useView()
  const { voice, announce } = context
  const [report, setReport] = useState<SaleReport>()
  useEffect(() => {
    announce(voice.t('do.working'))
    void readWhole(context, saleId).then((read) => {
      if (read === undefined || context.isLeft()) return
      announce('')
      setReport(read)
    })
  }, [])
  return (
    <>
      <BackLink to={`#/sale/${saleId}`} text={saleId} />
      <h1>{voice.t('report.about')}</h1>
      {report && <Report report={report} />}
    </>
  )
}

/** Undefined after a failure, which it announces, and once the view was left. */
async function readWhole({ voice, announce, isLeft, explain }: ViewContext, saleId: string) {
  const live = await control.getLive({ saleId })
  if (isLeft()) return undefined
  if (!live.ok) {
    explain(live.reply)
    return undefined
  }
  const table = reportTable(live.value.sale)
  let hasFailed = false
  let announcedAt = performance.now()
  try {
    return await readReport({
      live: live.value,
      async part(query) {
        if (isLeft() || hasFailed) return undefined
        const answer = await getTablePart(table, saleId, query)
        if (answer.ok) return answer.value
        if (!isLeft() && !hasFailed) announce(failureText(voice, answer.reply))
        hasFailed = true
        return undefined
      },
      async progress(n) {
        if (performance.now() - announcedAt > announceMs && !isLeft()) {
          announcedAt = performance.now()
          announce(voice.t(table === 'packets' ? 'reporting.readingPackets' : 'reporting.reading', { n }))
        }
        // Lets the page answer its visitor.
        await new Promise((resolve) => setTimeout(resolve))
      },
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    announce(voice.t('reporting.unreadable'))
    return undefined
  }
}

function Report({ report }: { report: SaleReport }) {
  const { voice } = useView()
  const { sale, pending, demand } = report
  const download = () => void saveFile(new Blob([reportCsv(report)], { type: 'text/csv' }), `${sale.saleId}-report.csv`)
  return (
    <div class="report" id="report">
      <h2 dir="auto">{textIn(sale, voice.language()).title}</h2>
      <p class="report__headline">{headlineOf(voice, report)}</p>
      {pending > 0 && <p>{voice.t('report.pending', { n: pending })}</p>}
      <KeyFigures report={report} />
      <div class="actions">
        <PlainButton id="report-csv" onClick={download}>
          {voice.t('reporting.csv')}
        </PlainButton>
      </div>
      <Pace report={report} />
      {demand === null ? <p>{voice.t('report.demand.unknown')}</p> : <DemandPanel demand={demand} />}
      <Money report={report} />
      <Statuses report={report} />
      <Sources report={report} />
      <Variants report={report} />
      <Terms report={report} />
    </div>
  )
}

/** The tiles that there are: a label, its value, and what the value is to be compared with. */
type TileRow = readonly [name: string, value: string, aside?: string | undefined] | false

const tilesIn = (rows: readonly TileRow[]): Tile[] =>
  rows.flatMap((row) => (row === false ? [] : [{ name: row[0], value: row[1], aside: row[2] }]))

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="panel">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** The first cell of a row names it. */
function Rows({ headings, rows }: { headings: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <DataTable<readonly string[]>
      columns={headings.map((heading, i) => ({ heading, kind: i === 0 ? 'name' : 'number', cell: (row) => row[i] }))}
      rows={rows}
      keyOf={([name = '']) => name}
    />
  )
}

function KeyFigures({ report }: { report: SaleReport }) {
  const { voice } = useView()
  const { t } = voice
  const { sale, units, shoppers, orders, payments, packets, coupons, pace, demand } = report
  const { kind, currency } = sale
  const [number, share] = [numberIn(voice), shareIn(voice)]
  const decimal = (n: number, digits: number) => n.toLocaleString(voice.locale(), { maximumFractionDigits: digits })
  const each = orders / shoppers
  const outMs = pace.windows.length === 1 ? (pace.windows[0]?.soldOutMs ?? null) : null
  const offered = units.offered === null ? t('report.unlimited') : t('report.ofOffered', { n: units.offered })
  const all: TileRow[] = [
    [t(`report.sold.${kind}`), number(units.sold), offered],
    units.left !== null && [t('report.left'), number(units.left)],
    [
      t(`report.shoppers.${kind}`),
      number(shoppers),
      each >= worthSaying ? t('report.ordersEach', { n: decimal(each, 2) }) : undefined,
    ],
    payments !== null && [
      t('report.paidOrders'),
      number(payments.paid),
      payments.payable === 0
        ? undefined
        : t('report.shareOf', { share: share(payments.paid, payments.payable), n: payments.payable }),
    ],
    payments !== null && [t('report.revenue'), voice.money(payments.revenue, currency)],
    packets !== null && [
      t('report.claimedMoney'),
      voice.money(packets.claimed, currency),
      share(packets.claimed, packets.budget),
    ],
    typeof coupons?.redeemed === 'number' && [
      t('report.redeemed'),
      number(coupons.redeemed),
      units.sold === 0 ? undefined : share(coupons.redeemed, units.sold),
    ],
    coupons !== null && [t('report.void'), number(coupons.void)],
    outMs !== null && [t(`report.soldOutIn.${kind}`), durationText(t, outMs)],
    pace.peakPerSecond > 0 && [t('report.peak'), number(pace.peakPerSecond)],
    demand !== null && [
      t('report.requests'),
      number(demand.asked),
      units.sold === 0 ? undefined : t('report.perUnit', { n: decimal(demand.asked / units.sold, 1) }),
    ],
  ]
  return <Tiles all={tilesIn(all)} />
}

/** How fast the units went: when each round was sold out, and bars of the first rounds. */
function Pace({ report }: { report: SaleReport }) {
  const { voice } = useView()
  const { t } = voice
  const { kind } = report.sale
  const { windows } = report.pace
  const number = numberIn(voice)
  if (windows.every(({ taken }) => taken === 0)) return null
  const after = (ms: number | null) => (ms === null ? '–' : t('report.after', { time: durationText(t, ms) }))
  const columns = ['name', 'opened', 'available', 'sold', 'first', 'half', 'out'] as const
  const rows = windows.map((round, index) => [
    t('report.roundN', { n: index + 1 }),
    saleMoment(voice, report.sale, round.opensAt),
    round.available === null ? t('report.unlimited') : number(round.available),
    number(round.sold),
    ...[after(round.firstMs), after(round.halfMs), after(round.soldOutMs)],
  ])
  return (
    <Part title={t('report.pace')}>
      {windows.slice(0, maxCharts).map(({ opensAt, bars }, index) => {
        if (bars === null) return null
        const { units, widthMs, later } = bars
        const [width, span] = [durationText(t, widthMs), durationText(t, units.length * widthMs)]
        const most = Math.max(...units)
        const total = units.reduce((sum, n) => sum + n, 0)
        return (
          <figure key={opensAt}>
            <figcaption>
              {windows.length > 1 && `${t('report.roundN', { n: index + 1 })}: `}
              {t(`report.chart.bars.${kind}`, { width })}
            </figcaption>
            <div
              class="split__bars"
              role="img"
              aria-label={t(`report.chart.alt.${kind}`, { n: total, time: span, width, most })}
            >
              {units.map((n, bar) => (
                <span key={bar * widthMs} style={{ height: `${(100 * n) / Math.max(1, most)}%` }} />
              ))}
            </div>
            <p class="split__ends note" aria-hidden="true">
              <span>0</span>
              <span>{span}</span>
            </p>
            {later > 0 && <p>{t(`report.chart.later.${kind}`, { n: later })}</p>}
          </figure>
        )
      })}
      {windows.length > maxCharts && <p>{t('report.moreRounds', { n: maxCharts })}</p>}
      <Rows headings={columns.map((column) => t(`report.rounds.${column}`))} rows={rows} />
    </Part>
  )
}

function Money({ report: { payments, packets, sale } }: { report: SaleReport }) {
  const { voice } = useView()
  const { t } = voice
  const sum = (amount: number) => voice.money(amount, sale.currency)
  if (payments !== null) {
    const { payable, disputed, refundDue, refundReturned, medianMs, p95Ms } = payments
    const time = (ms: number | null) => (ms === null ? '–' : durationText(t, ms))
    const all: TileRow[] = [
      [t('report.payable'), numberIn(voice)(payable)],
      disputed !== 0 && [t('report.disputed'), sum(disputed)],
      [t('report.refundDue'), sum(refundDue)],
      [t('report.refundReturned'), sum(refundReturned)],
      [t('report.median'), time(medianMs)],
      [t('report.p95'), time(p95Ms)],
    ]
    return (
      <Part title={t('report.payments')}>
        <Tiles all={tilesIn(all)} />
      </Part>
    )
  }
  if (packets === null) return null
  const names = ['budget', 'returned', 'smallest', 'median', 'largest'] as const
  const money = (amount: number | null) => (amount === null ? '–' : sum(amount))
  return (
    <Part title={t('report.packets')}>
      <Tiles
        all={names.map((name) => ({
          ...{ name: t(name === 'median' ? 'report.middle' : `report.${name}`), value: money(packets[name]) },
        }))}
      />
    </Part>
  )
}

/** Every order, also those that ended. */
function Statuses({ report: { statuses, payments, sale } }: { report: SaleReport }) {
  const { voice } = useView()
  const { t } = voice
  const number = numberIn(voice)
  if (statuses.length === 0) return null
  const columns = [...(['status', 'orders', 'units'] as const), ...(payments === null ? [] : (['amount'] as const))]
  const rows = statuses.map(({ status, orders, units, amount }) => [
    ...[t(`order.status.${status}`), number(orders), number(units)],
    ...(payments === null ? [] : [voice.money(amount, sale.currency)]),
  ])
  return (
    <Part title={t('report.orders')}>
      <Rows headings={columns.map((column) => t(`report.orders.${column}`))} rows={rows} />
    </Part>
  )
}

function Sources({ report: { sources, orders } }: { report: SaleReport }) {
  const { voice } = useView()
  const { t } = voice
  const [number, share] = [numberIn(voice), shareIn(voice)]
  if (sources.length === 0) return null
  const names = new Map([
    ['(none)', t('report.sources.none')],
    ['(other)', t('report.sources.other')],
  ])
  const headings = [
    t('report.sources.source'),
    t('report.orders.orders'),
    t('report.demand.share'),
    t('report.orders.units'),
  ]
  const rows = sources.map((one) => [
    ...[names.get(one.source) ?? one.source, number(one.orders), share(one.orders, orders), number(one.units)],
  ])
  return (
    <Part title={t('report.sources')}>
      <Rows headings={headings} rows={rows} />
    </Part>
  )
}

function Variants({ report: { variants, sale } }: { report: SaleReport }) {
  const { voice } = useView()
  const { t } = voice
  if (variants.length === 0) return null
  const shown = (n: number | null) => (n === null ? t('report.unlimited') : numberIn(voice)(n))
  const names = new Map(variantNamesIn(sale.variants ?? [], voice.language()).map(({ id, name }) => [id, name]))
  const rows = variants.map(({ id, name, offered, sold, left }) => [
    ...[names.get(id) ?? name, shown(offered), shown(sold), shown(left)],
  ])
  const headings = (['name', 'offered', 'sold', 'left'] as const).map((column) => t(`report.variants.${column}`))
  return (
    <Part title={t('report.variants')}>
      <Rows headings={headings} rows={rows} />
    </Part>
  )
}

function Terms({ report: { payments, sale } }: { report: SaleReport }) {
  const { voice } = useView()
  const { t } = voice
  const names = [
    ...(['soldOut', 'available'] as const),
    ...(payments === null ? [] : (['paid', 'refunds'] as const)),
    ...(['requests', 'private'] as const),
  ]
  return (
    <details class="more">
      <summary>{t('report.terms')}</summary>
      <dl>
        <dt>{t(`report.sold.${sale.kind}`)}</dt>
        <dd>{t(`report.means.sold.${sale.kind}`)}</dd>
        {names.map((name) => (
          <>
            <dt>{t(`report.term.${name}`)}</dt>
            <dd>{t(`report.means.${name}`)}</dd>
          </>
        ))}
      </dl>
    </details>
  )
}

const numberIn = (voice: ConsoleVoice) => (n: number) => n.toLocaleString(voice.locale())

/** `part` of `whole` in per cent; `whole` is more than 0. */
const shareIn = (voice: ConsoleVoice) => (part: number, whole: number) =>
  (part / whole).toLocaleString(voice.locale(), { style: 'percent', maximumFractionDigits: 1 })

export function headlineOf(voice: Translator, report: SaleReport): string {
  const { sale, units } = report
  const lead = leadOf(voice, report)
  if (units.sold === 0) return voice.t('report.headline', { lead, rest: voice.t(`report.none.${sale.kind}`) })
  const parts = [soldText(voice, report), backText(voice, report), tailOf(voice, report)]
  const rest = parts
    .filter((part) => part !== undefined)
    .reduce((first, next) => voice.t('report.headline.and', { first, next }))
  return voice.t('report.headline', { lead, rest })
}

function soldText({ t }: Translator, { sale: { kind }, units, shoppers }: SaleReport): string {
  const { sold, offered } = units
  if (offered !== null) return t(`report.core.${kind}`, { sold, offered, shoppers })
  // Red packets always have a number.
  return t(kind === 'coupon' ? 'report.unlimited.coupon' : 'report.unlimited.goods', { sold, shoppers })
}

/** Where a sale sold out and has units left, they are those of orders that ended. */
function backText({ t }: Translator, { sale, pace, units }: SaleReport): string | undefined {
  const wasOut = (pace.windows.at(-1)?.soldOutMs ?? null) !== null
  return wasOut && units.left !== null && units.left > 0
    ? t(`report.tail.back.${sale.kind}`, { n: units.left })
    : undefined
}

function leadOf({ t }: Translator, { sale, phase, pace, units, madeAt }: SaleReport): string {
  const { windows } = pace
  const outMs = windows.map(({ soldOutMs }) => soldOutMs)
  const [first] = outMs
  const isComplete = windows.length === Math.max(1, sale.windows.length)
  if (isComplete && windows.length === 1 && first !== null && first !== undefined) {
    return t(`report.lead.out.${sale.kind}`, { time: durationText(t, first) })
  }
  if (isComplete && !outMs.includes(null)) return t('report.lead.allOut', { n: windows.length })
  if (phase === 'ended') return t(sale.epoch === 0 ? 'report.lead.never' : 'report.lead.ended')
  const isBefore = madeAt < (windows[0]?.endsAt ?? sale.endsAt) && units.sold === 0
  const isUpcoming = (phase === 'draft' || phase === 'scheduled') && isBefore
  return t(isUpcoming ? 'report.lead.upcoming' : 'report.lead.running')
}

function tailOf({ t, money }: Translator, report: SaleReport): string | undefined {
  const { payments, packets, coupons, sale } = report
  if (payments !== null) {
    return t('report.tail.paid', { paid: payments.paid, money: money(payments.revenue, sale.currency) })
  }
  if (packets !== null) {
    const [claimed, budget] = [packets.claimed, packets.budget].map((sum) => money(sum, sale.currency))
    return t('report.tail.money', { money: claimed ?? '', budget: budget ?? '' })
  }
  if (coupons === null || coupons.redeemed === null) return undefined
  return t('report.tail.redeemed', { n: coupons.redeemed })
}
