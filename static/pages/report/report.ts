/**
 * The report of a sale as one HTML file that needs nothing else: no script, no request. Who opens it needs
 * no account, so it has sums only.
 */
import type { Brand } from '../../../core/brand.ts'
import type { SaleReport } from '../../../core/report/sale-report.ts'
import { textIn } from '../../../core/sale/sale.ts'
import { shopName } from '../brand.ts'
import { type Html, html } from '../html.ts'
import { directionOf } from '../say.ts'
import { headlineOf } from './headline.ts'
import { sectionsOf } from './sections.ts'
import { reportStyle } from './style.ts'
import { type ReportReader, reportVoice } from './voice.ts'

/** The whole document; with the figures of an `earlier` sale beside its own. */
export function renderReport(report: SaleReport, brand: Brand, reader: ReportReader, earlier?: SaleReport): string {
  const voice = reportVoice(reader)
  const { t, time } = voice
  const { sale, pace, madeAt, pending } = report
  const { title } = textIn(sale, voice.language)
  const from = pace.rounds[0]?.opensAt ?? sale.startsAt
  const until = Math.max(sale.endsAt, sale.windows.at(-1)?.endsAt ?? 0)
  const style: Html = { html: reportStyle(brand) }
  return html`<!doctype html>
<html lang="${voice.language}"${directionOf(voice.language)}>
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${t('report.title', { title })}</title>
<style>
${style}</style>
</head>
<body>
<header>
<p><span class="shop">${shopName(brand, voice.language)}</span> · ${t('report.about')}</p>
<h1>${title}</h1>
<p><bdi>${time(from)}</bdi> – <bdi>${time(until)}</bdi></p>
</header>
<main>
<p class="headline">${headlineOf(voice, report)}</p>
${
  pending === 0
    ? html``
    : html`<p class="note">${t('report.pending', { n: pending })}</p>
`
}${sectionsOf(voice, report, earlier)}</main>
<footer><p>${t('report.made', { time: time(madeAt), zone: zoneText(voice, madeAt) })}</p></footer>
</body>
</html>
`.html
}

/** `Europe/Berlin (GMT+1)`: its distance from UTC at `ms`, epoch ms. */
function zoneText({ locale, timeZone }: ReportReader, ms: number): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'shortOffset' }).formatToParts(ms)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value
  return offset === undefined ? timeZone : `${timeZone} (${offset})`
}
