/** The key figures of a sale beside those of an earlier one, and how much they differ. */
import { type ComparedFigure, comparedFigures } from '../../../core/report/compare.ts'
import type { SaleReport } from '../../../core/report/sale-report.ts'
import { textIn } from '../../../core/sale/sale.ts'
import { type Html, html } from '../html.ts'
import { section, table } from './parts.ts'
import type { ReportVoice } from './voice.ts'

export function comparedSection(voice: ReportVoice, report: SaleReport, earlier: SaleReport): Html {
  const { t, time } = voice
  const { title } = textIn(earlier.sale, voice.language)
  const opened = time(earlier.pace.rounds[0]?.opensAt ?? earlier.sale.startsAt)
  const rows = comparedFigures(report, earlier).map((figure) => rowOf(voice, report, figure))
  return section(
    voice,
    'report.compared',
    html`<p>${t('report.compared.with', { title, time: opened })}</p>
`,
    table(voice, 'report.compared', {
      headings: ['report.compared.figure', 'report.compared.is', 'report.compared.was', 'report.compared.difference'],
      rows,
      isStacked: true,
    }),
  )
}

function rowOf(voice: ReportVoice, { sale: { kind } }: SaleReport, figure: ComparedFigure): string[] {
  const { t, number, money, duration, share, signed } = voice
  const { name, is, was, currency } = figure
  const labels: Record<ComparedFigure['name'], string> = {
    ...{ offered: t('report.variants.offered'), sold: t(`report.sold.${kind}`), left: t('report.left') },
    ...{ shoppers: t(`report.shoppers.${kind}`), paid: t('report.paidOrders'), revenue: t('report.revenue') },
    ...{ claimed: t('report.claimedMoney'), soldOut: t(`report.soldOutIn.${kind}`) },
    ...{ peak: t('report.peak'), asked: t('report.requests') },
  }
  const shown = (n: number) =>
    currency !== undefined ? money(n, currency) : name === 'soldOut' ? duration(n) : number(n)
  const by = Math.abs(is - was)
  const differ = (text: string) => (by === 0 ? text : signed(is > was ? '+' : '−', text))
  const share100 = was === 0 || by === 0 ? '' : ` (${differ(share(by, was))})`
  return [labels[name], shown(is), shown(was), `${differ(shown(by))}${share100}`]
}
