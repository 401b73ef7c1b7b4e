/** The report of a sale at the command line. */
import { rename, rm, writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { chooseLanguage, type Language } from '../../core/language.ts'
import { readReport, reportTable } from '../../core/report/read-report.ts'
import { reportCsv } from '../../core/report/report-csv.ts'
import type { SaleReport } from '../../core/report/sale-report.ts'
import { languages } from '../../static/messages/catalogues.ts'
import { renderReport } from '../../static/pages/report/report.ts'
import { type ControlClient, retryOnce } from '../control-client.ts'
import type { StartStep } from '../progress.ts'
import type { Context } from './context.ts'

type ReportFlags = { out?: string; csv?: true; compare?: string; language: Language; zone: string }

export function addReportCommand(program: Command, { around, reader }: Context): void {
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
  program
    .command('report <saleId>')
    .description('how a sale went, in sums only: one HTML file to open, send or print')
    .option('--out <file>', 'file to write to (default: standard output)')
    .option('--csv', 'the same figures as CSV: section,name,value,unit')
    .option('--compare <saleId>', 'an earlier sale, whose key figures are beside those of this one')
    .addOption(
      new Option('--language <language>', 'language of the HTML file')
        .choices(languages)
        .default(chooseLanguage(null, [locale], languages)),
    )
    .option('--zone <zone>', 'time zone of the HTML file, such as Europe/Berlin', timeZone)
    .action(async (saleId: string, { out, csv, compare, language, zone }: ReportFlags) => {
      const style = { language, locale: localeOf(language, locale), timeZone: knownZone(zone) }
      const control = await reader()
      const { brand } = await control.brand()
      const report = await fetchReport(control, saleId, around.startStep)
      const earlier = compare === undefined ? undefined : await fetchReport(control, compare, around.startStep)
      const text = csv === true ? reportCsv(report, brand, earlier) : renderReport(report, brand, style, earlier)
      if (out === undefined) return around.print(text.trimEnd())
      await writeWhole(out, text)
      around.print(`report of ${saleId} written to ${out}`)
    })
}

/** The shell's own dialect of the language; without the extensions of `C`, which groups no digits. */
function localeOf(language: Language, ofShell: string): string {
  return ofShell.slice(0, 2) === language.slice(0, 2) ? new Intl.Locale(ofShell).baseName : language
}

/** @throws RangeError for a name that this runtime does not know */
function knownZone(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
}

async function fetchReport(
  control: Pick<ControlClient, 'live' | 'tablePart'>,
  saleId: string,
  startStep: StartStep,
): Promise<SaleReport> {
  const live = await control.live(saleId)
  const table = reportTable(live.sale)
  // The live number leaves out orders that ended.
  const step = startStep(table, live.orders.orders)
  try {
    const report = await readReport({
      live,
      part: (query) => retryOnce(() => control.tablePart(table, saleId, query)),
      async progress(rows) {
        step.to(rows)
      },
    })
    if (report === undefined) throw new Error('a part of the table is missing')
    return report
  } finally {
    step.end()
  }
}

/** The file appears when it is complete. */
async function writeWhole(out: string, text: string): Promise<void> {
  const unfinished = `${out}.part`
  try {
    await writeFile(unfinished, text)
    await rename(unfinished, out)
  } catch (failure) {
    await rm(unfinished, { force: true })
    throw failure
  }
}
