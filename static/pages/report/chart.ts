/** Drawings of a report, as SVG without text: their words stand around them and scale with the page. */
import type { PaceBars, RoundPace } from '../../../core/report/pace.ts'
import type { SaleKind } from '../../../core/sale/settings.ts'
import { type Html, html } from '../html.ts'
import type { ReportVoice } from './voice.ts'

const [width, height] = [600, 120]

/** Both charts of a round, over one axis, and their numbers. */
export function paceCharts(
  voice: ReportVoice,
  { kind, name }: { kind: SaleKind; name: string | undefined },
  round: RoundPace,
  bars: PaceBars,
): Html {
  const { t, duration, number } = voice
  const sums = runningSums(bars.units)
  const total = sums.at(-1) ?? 0
  const most = bars.units.reduce((highest, units) => Math.max(highest, units), 0)
  const spanMs = bars.units.length * bars.widthMs
  const each = duration(bars.widthMs)
  const alternative = t(`report.chart.alt.${kind}`, { n: total, time: duration(spanMs), width: each, most })
  const top = Math.max(total, round.available ?? 0)
  return html`<figure class="charts">
${
  name === undefined
    ? html``
    : html`<figcaption>${name}</figcaption>
`
}${plot(t(`report.chart.sum.${kind}`), number(top), curve(sums, top, alternative))}
${plot(t(`report.chart.bars.${kind}`, { width: each }), number(most), columns(bars.units, most))}
<p class="axis" aria-hidden="true"><span>0</span><span>${duration(spanMs / 2)}</span><span>${duration(spanMs)}</span></p>
${
  bars.later === 0
    ? html``
    : html`<p class="note">${t(`report.chart.later.${kind}`, { n: bars.later })}</p>
`
}<details><summary>${t('report.chart.numbers')}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="${t('report.chart.numbers')}">${barTable(voice, bars, sums)}</div></details>
</figure>
`
}

function plot(title: string, top: string, drawing: Html): Html {
  return html`<p class="plot__title"><span>${title}</span><span aria-hidden="true">${top}</span></p>
<div class="plot">${drawing}</div>`
}

/** Steps up to each sum, the whole height being `top`. The drawing stands for both charts. */
function curve(sums: readonly number[], top: number, alternative: string): Html {
  const points = [0, ...sums].map((sum, i) => `${at(i, sums.length)},${level(sum, top)}`).join(' ')
  return html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${alternative}"><polygon class="area" points="0,${height} ${points} ${width},${height}"/><polyline class="curve" points="${points}"/></svg>`
}

function columns(units: readonly number[], most: number): Html {
  const gap = 0.15 * (width / units.length)
  const bars = units.map((n, i) => {
    const y = level(n, most)
    const x = at(i, units.length) + gap / 2
    return html`<rect x="${rounded(x)}" y="${y}" width="${rounded(width / units.length - gap)}" height="${rounded(height - y)}"/>`
  })
  return html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>`
}

function barTable({ t, duration, number }: ReportVoice, bars: PaceBars, sums: readonly number[]): Html {
  const rows = bars.units.map(
    (
      units,
      i,
    ) => html`<tr><th scope="row">${duration(i * bars.widthMs)}</th><td>${duration((i + 1) * bars.widthMs)}</td><td>${number(units)}</td><td>${number(sums[i] ?? 0)}</td></tr>
`,
  )
  return html`<table><caption class="unseen">${t('report.chart.numbers')}</caption><thead><tr><th scope="col">${t('report.chart.from')}</th><th scope="col">${t('report.chart.to')}</th><th scope="col">${t('report.chart.units')}</th><th scope="col">${t('report.chart.total')}</th></tr></thead>
<tbody>
${rows}</tbody></table>`
}

/** A bar for a share from 0 to 1; the number stands beside it. */
export function shareBar(share: number): Html {
  return html`<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${rounded(100 * share)}" height="10"/></svg>`
}

function runningSums(units: readonly number[]): number[] {
  let sum = 0
  return units.map((n) => {
    sum += n
    return sum
  })
}

const rounded = (n: number) => Math.round(n * 100) / 100
const at = (i: number, of: number) => rounded((i * width) / of)
const level = (n: number, top: number) => rounded(top === 0 ? height : height - (n / top) * height)
