/** The commands about the list of a sale for early access. */
import { writeFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { maxEarlyList } from '../../core/api/early-list.ts'
import { parseSaleId } from '../../core/ids.ts'
import { newInvitations, sendInvitations } from '../../core/sale/invitations.ts'
import { retryOnce } from '../control-client.ts'
import type { Context } from './context.ts'
import { readCsvBytes } from './csv-fault.ts'
import { importEarly } from './import-early.ts'
import { earlyLines, earlyTable } from './print.ts'

type Flags = { remove?: true; dryRun?: true; after?: string }

/** Codes of one call of the command, at most as many as a list has room for. */
const inviteCount = (text: string): number => {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= maxEarlyList) return count
  throw new InvalidArgumentError(`must be a whole number from 1 to ${maxEarlyList}`)
}

export function addEarlyCommand(program: Command, { around, changer, reader, show, target }: Context): void {
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
  program
    .command('invite <saleId>')
    .description(
      'make codes that each bring one shopper onto the list for early access, and save them with their links',
    )
    .requiredOption('--count <n>', `how many, 1 to ${maxEarlyList}`, inviteCount)
    .requiredOption('--out <file>', 'the CSV file: the codes are in no other place')
    .action(async (sale: string, { count, out }: { count: number; out: string }) => {
      const saleId = parseSaleId(sale)
      if (saleId === undefined) throw new RangeError(`${sale} is not a sale id`)
      const control = await changer()
      const { codes, csv } = newInvitations(saleId, count, (await target()).url)
      // First the file: codes that were sent and lost could never be given out. Without a digest they are worth nothing.
      await writeFile(out, csv, { flag: 'wx' })
      const step = around.startStep('invitations', count)
      const send = (digests: readonly string[]) => retryOnce(() => control.invite(saleId, digests))
      try {
        const made = await sendInvitations(saleId, codes, send, (done) => step.to(done))
        show({ made, out }, () => `${made} invitations to ${saleId} written to ${out}`)
      } finally {
        step.end()
      }
    })
}
