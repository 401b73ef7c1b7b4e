/** The report of a sale, a file: read part by part, added up here, and drawn without the server. */
import { readReport, reportTable } from '../../../../core/report/read-report.ts'
import { reportCsv } from '../../../../core/report/report-csv.ts'
import type { SaleReport } from '../../../../core/report/sale-report.ts'
import type { reportPanelMessages } from '../../../messages/catalogues.ts'
import { renderReport } from '../../../pages/report/report.ts'
import { saveFile } from '../../lib/save.ts'
import { getBrand, getLive, getTablePart } from '../api.ts'
import { failureText } from '../view.ts'
import type { useViewWith } from '../view-place.ts'

type ReportContext = ReturnType<typeof useViewWith<typeof reportPanelMessages>>

/** How often the number of rows is announced: a screen reader says each of them. */
const announceMs = 2000

/** `earlierId` is the sale that it is compared with; empty for none. */
export async function downloadReport(
  context: ReportContext,
  saleId: string,
  format: 'html' | 'csv',
  earlierId: string,
): Promise<void> {
  const { voice, announce, isLeft } = context
  announce(voice.t('do.working'))
  const brand = await getBrand()
  if (isLeft()) return
  if (!brand.ok) return announce(failureText(voice, brand.reply))
  const report = await reportOf(context, saleId)
  if (report === undefined || isLeft()) return
  const earlier = earlierId === '' ? undefined : await reportOf(context, earlierId)
  if ((earlier === undefined && earlierId !== '') || isLeft()) return
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const reader = { language: voice.language(), locale: voice.locale(), timeZone }
  const shop = brand.value.brand
  const text = format === 'html' ? renderReport(report, shop, reader, earlier) : reportCsv(report, shop, earlier)
  saveFile(new Blob([text], { type: `text/${format}` }), `${saleId}-report.${format}`)
  announce(voice.t('do.done'))
}

/** Undefined after a failure, which it announces, and once the view was left. */
async function reportOf({ voice, announce, isLeft }: ReportContext, saleId: string): Promise<SaleReport | undefined> {
  const live = await getLive(saleId)
  if (isLeft()) return undefined
  if (!live.ok) {
    announce(failureText(voice, live.reply))
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
        await nextTask()
      },
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    announce(voice.t('reporting.unreadable'))
    return undefined
  }
}

/** Lets the page answer its visitor. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
