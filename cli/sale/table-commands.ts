/** Commands that export the tables of a sale: its orders, coupon codes, red packets, and its report. */
import { open, rename, rm, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { byteOrderMark } from '../../core/lib/csv-line.ts'
import { readReport, reportTable } from '../../core/report/read-report.ts'
import { reportCsv } from '../../core/report/report-csv.ts'
import { type ControlClient, type ExportedTable, retryOnce } from '../control-client.ts'
import type { Context } from './context.ts'

export function addTableCommands(program: Command, { ports, reader }: Context): void {
  const table = (command: Command, name: ExportedTable, what: string) =>
    command
      .description(`${what} as CSV`)
      .option('--out <file>', 'file to write to (default: standard output)')
      .action(async (saleId: string, { out }: { out?: string }) =>
        writeTable(await reader(), { table: name, saleId }, out, ports.print),
      )
  table(program.command('orders <saleId>'), 'orders', 'all orders with payments, refunds and addresses')
  table(program.command('coupons <saleId>'), 'coupons', 'all coupon codes')
  table(program.command('packets <saleId>'), 'packets', 'all credited red packets')
  program
    .command('report <saleId>')
    .description('how a sale went, in sums only, as CSV: section,name,value,unit')
    .option('--out <file>', 'file to write to (default: standard output)')
    .action(async (saleId: string, { out }: { out?: string }) => {
      const control = await reader()
      const live = await control.getLive({ saleId })
      const table = reportTable(live.sale)
      // The live number does not include orders that ended.
      const step = ports.startStep(table, live.orders.orders)
      const report = await readReport({
        live,
        part: (query) => retryOnce(() => control.tablePart(table, saleId, query)),
        async progress(rows) {
          step.to(rows)
        },
      }).finally(() => step.end())
      if (report === undefined) throw new Error('a part of the table is missing')
      if (out === undefined) return ports.print(reportCsv(report).trimEnd())
      await writeFile(out, reportCsv(report))
      ports.print(`report of ${saleId} written to ${out}`)
    })
}

type Write = (text: string) => Promise<unknown>
type TableOfSale = { table: ExportedTable; saleId: string }

/** Writes a table to the file `out`, which appears when it is complete; without `out`, to `print`. */
async function writeTable(
  control: Pick<ControlClient, 'tablePart'>,
  source: TableOfSale,
  out: string | undefined,
  print: (text: string) => void,
): Promise<void> {
  const copyTo = (write: Write) => copyParts(control, source, write)
  if (out === undefined) return copyTo(async (text) => print(text.trimEnd()))
  const unfinished = `${out}.part`
  const file = await open(unfinished, 'w')
  try {
    // Unlike `write`, `appendFile` fails when the disk takes only a part.
    await copyTo((text) => file.appendFile(text))
    await file.close()
    await rename(unfinished, out)
  } catch (failure) {
    await file.close()
    await rm(unfinished)
    throw failure
  }
  print(`${source.table} of ${source.saleId} written to ${out}`)
}

async function copyParts(
  control: Pick<ControlClient, 'tablePart'>,
  { table, saleId }: TableOfSale,
  write: Write,
): Promise<void> {
  let after: string | null = ''
  while (after !== null) {
    const from: string = after
    const part = await retryOnce(() => control.tablePart(table, saleId, { after: from }))
    // `text()` removes the byte order mark.
    const text = (from === '' ? byteOrderMark : '') + part.text
    if (text !== '') await write(text)
    after = part.next
  }
}
