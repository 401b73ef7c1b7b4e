/** The command about the list of a sale for early access. */
import type { Command } from 'commander'
import type { Context } from './context.ts'
import { readCsvBytes } from './csv-fault.ts'
import { importEarly } from './import-early.ts'
import { earlyLines, earlyTable } from './print.ts'

type Flags = { remove?: true; dryRun?: true; after?: string }

export function addEarlyCommand(program: Command, { around, changer, reader, show }: Context): void {
  program
    .command('early <saleId> [csv]')
    .description('show the shoppers with early access, or add those of a CSV file with the column shopperId')
    .option('--remove', 'remove the shoppers of the file instead')
    .option('--dry-run', 'say how many shoppers would change, and change nothing')
    .option('--after <shopperId>', 'show the shoppers after this one')
    .action(async (saleId: string, file: string | undefined, { remove, dryRun, after }: Flags) => {
      if (file === undefined) {
        if (remove || dryRun) throw new RangeError('name a CSV file')
        return show(await (await reader()).earlyList(saleId, after), earlyLines)
      }
      const bytes = await readCsvBytes(file)
      const control = await (dryRun ? reader() : changer())
      const what = remove ? 'remove' : 'add'
      const options = { what, dryRun: dryRun === true, startStep: around.startStep } as const
      const imported = await importEarly(control, saleId, bytes, options)
      show(imported, (done) => earlyTable(done, options))
      const wrong = imported.refused.length
      if (wrong > 0) throw new RangeError(`${wrong} lines cannot be imported`)
    })
}
