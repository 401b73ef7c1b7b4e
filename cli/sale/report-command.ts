/** The report of a sale at the command line. */
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { readReport, reportTable } from '../../core/report/read-report.ts'
import { reportCsv } from '../../core/report/report-csv.ts'
import { retryOnce } from '../control-client.ts'
import type { Context } from './context.ts'

export function addReportCommand(program: Command, { around, reader }: Context): void {
  program
    .command('report <saleId>')
    .description('how a sale went, in sums only, as CSV: section,name,value,unit')
    .option('--out <file>', 'file to write to (default: standard output)')
    .action(async (saleId: string, { out }: { out?: string }) => {
      const control = await reader()
      const live = await control.live(saleId)
      const table = reportTable(live.sale)
      // The live number leaves out orders that ended.
      const step = around.startStep(table, live.orders.orders)
      const report = await readReport({
        live,
        part: (query) => retryOnce(() => control.tablePart(table, saleId, query)),
        async progress(rows) {
          step.to(rows)
        },
      }).finally(() => step.end())
      if (report === undefined) throw new Error('a part of the table is missing')
      if (out === undefined) return around.print(reportCsv(report).trimEnd())
      await writeFile(out, reportCsv(report))
      around.print(`report of ${saleId} written to ${out}`)
    })
}
