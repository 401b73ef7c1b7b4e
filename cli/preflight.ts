/**
 * `npm run preflight`: compares a planned sale with the limits of a stage and its account, and estimates its cost. Run
 * it before every sale. Exit code 1: a limit is short. 2: an option is wrong.
 */
import { fileURLToPath } from 'node:url'
import { CommanderError } from 'commander'
import type { Live } from '../core/api/control-answers.ts'
import { priceRegionOf } from '../infra/prices.ts'
import { stages } from '../infra/settings/stages.ts'
import { awsCli } from './aws-cli.ts'
import { controlClient, localToken } from './control-client.ts'
import { readAccount } from './preflight/account.ts'
import { type Flags, flagsForSale, flagsOf, planOf, preflightCommand } from './preflight/command.ts'
import { type Report, reportLines, reportOf } from './preflight/report.ts'
import { readRunning } from './running.ts'
import { targetOf, tokenFor } from './sale/target.ts'

export type PreflightSurroundings = {
  print: (text: string) => void
  complain: (text: string) => void
  /** The numbers of a sale for `--sale`. @throws when the shop does not answer, or refuses */
  live: (saleId: string) => Promise<Live>
}

async function liveOf(saleId: string): Promise<Live> {
  const { SLUICE_URL, SLUICE_TOKEN } = process.env
  const environment = { url: SLUICE_URL || undefined, token: SLUICE_TOKEN || undefined }
  const given = { url: undefined, token: undefined, environment }
  const target = await targetOf(given, readRunning)
  const { url } = target
  const token = tokenFor(target, given) ?? (await localToken(url, 'marketer', ['marketer']))
  return controlClient({ url, token }).live(saleId)
}

async function reportFor(flags: Flags): Promise<Report> {
  const settings = stages[flags.stage]
  const account = flags.account === true ? await readAccount(awsCli, settings) : undefined
  const quotas = account?.quotas ?? settings.quotas
  const priceRegion = flags.prices ?? priceRegionOf(settings.region)
  const plan = planOf(flags, settings.forecast)
  const report = reportOf(plan, flags.spread === undefined, settings, quotas, flags.accept ?? [], priceRegion)
  return { ...report, ...(account !== undefined && { account: account.readings }) }
}

/** Returns the exit code. */
export async function runPreflight(
  args: readonly string[],
  { print, complain, live }: PreflightSurroundings,
): Promise<number> {
  let flags: Flags
  const command = preflightCommand().exitOverride()
  try {
    const trimmed = (write: (text: string) => void) => (text: string) => write(text.replace(/\n$/, ''))
    flags = flagsOf(command.configureOutput({ writeOut: trimmed(print), writeErr: trimmed(complain) }), args)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
  if (flags.sale !== undefined) {
    try {
      flags = flagsForSale(command, flags, (await live(flags.sale)).sale)
    } catch (error) {
      complain(`--sale ${flags.sale}: ${error instanceof Error ? error.message : String(error)}`)
      return 2
    }
  }
  const report = await reportFor(flags)
  print(flags.json ? JSON.stringify(report, null, 2) : reportLines(report, flags.all === true).join('\n'))
  return report.ready ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runPreflight(process.argv.slice(2), {
    print: (text) => console.log(text),
    complain: (text) => console.error(text),
    live: liveOf,
  })
}
