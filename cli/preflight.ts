/**
 * `npm run preflight`: compares a planned sale with the limits of a stage and its account, and estimates its cost. Run
 * it before every sale. Exit code 1: a limit is short. 2: an option is wrong.
 */
import { Command, CommanderError, Option } from 'commander'
import { challengeKinds } from '../core/gate/challenge.ts'
import { defaultSessionSeconds } from '../core/people/session.ts'
import { saleKinds } from '../core/sale/kinds.ts'
import { maxSpreadSeconds } from '../core/sale/settings.ts'
import { maxDatabases } from '../core/stock/database.ts'
import type { Forecast } from '../infra/settings/arithmetic.ts'
import { stages } from '../infra/settings/stages.ts'
import { awsCli } from './aws-cli.ts'
import { accountChecks } from './deploy-account.ts'
import { type CheckRow, readTable, tableLines } from './deploy-table.ts'
import { isMain } from './is-main.ts'
import { readAccount } from './preflight/account.ts'
import { type LimitId, limitIds } from './preflight/limits.ts'
import { defaultPlan, type SalePlan } from './preflight/plan.ts'
import { buildReport, type PreflightReport, reportLines } from './preflight/report.ts'
import { requestSender } from './smoke/request.ts'
import { wholeNumberParser } from './whole-number.ts'

type Flags = Omit<SalePlan, 'shoppers' | 'stock' | 'openingSeconds' | 'busiestShare' | 'newShare' | 'spreadSeconds'> & {
  stage?: keyof typeof stages
  shoppers?: number
  stock?: number
  within?: number
  spread?: number
  busiestRegion: number
  newShoppers: number
  account?: true
  accept?: LimitId[]
  all?: true
  json?: true
}

const choice = (flags: string, description: string, choices: readonly string[]): Option =>
  new Option(flags, description).choices(choices)

const count = (flags: string, description: string, min: number, max: number): Option =>
  new Option(flags, description).argParser(wholeNumberParser(min, max))

const description = `Compare what a sale needs with the limits of a stage and its account, and estimate its cost.
Exit code 0: it fits. 1: a limit is short. 2: an option is wrong.`
function preflightCommand(): Command {
  const { kind, challenge, sales, shards, databases, waitMinutes, signInMinutes, busiestShare, newShare, perAddress } =
    defaultPlan
  const signedIn = defaultSessionSeconds / 60
  return new Command('preflight')
    .description(description)
    .addOption(choice('--stage <stage>', 'stage whose settings to use (default: prod)', Object.keys(stages)))
    .addOption(choice('--kind <kind>', 'kind of sale', saleKinds).default(kind))
    .addOption(
      count(
        '--shoppers <n>',
        "how many want to buy (default: the forecast of --stage, or the example's 30,000)",
        1,
        1e8,
      ),
    )
    .addOption(count('--stock <n>', 'units (default: the forecast); unlimited: as many as shoppers', 1, 1e7))
    .addOption(count('--within <seconds>', 'length of the first rush (default: the forecast)', 1, 86_400))
    .addOption(count('--spread <seconds>', 'spreadSeconds (default: as many as the gate needs)', 0, maxSpreadSeconds))
    .addOption(choice('--challenge <kind>', 'bot check', challengeKinds).default(challenge))
    .addOption(count('--sales <n>', 'sales at the same time that share shoppers and stock', 1, 1000).default(sales))
    .addOption(count('--shards <n>', 'databases for the stock of each sale', 1, maxDatabases).default(shards))
    .addOption(count('--databases <n>', 'databases of the stocks of all sales', 1, maxDatabases).default(databases))
    .addOption(count('--wait-minutes <n>', 'how long before the start shoppers come', 0, 1440).default(waitMinutes))
    .addOption(count('--sign-in-minutes <n>', 'in how long before it they sign in', 1, signedIn).default(signInMinutes))
    .addOption(count('--new-shoppers <percent>', 'without an account yet', 0, 100).default(newShare * 100))
    .addOption(count('--busiest-region <percent>', 'clicks in one region', 1, 100).default(busiestShare * 100))
    .addOption(count('--per-address <n>', 'shoppers behind one address, as of a carrier', 1, 1e8).default(perAddress))
    .option('--account', 'read the quotas of the account with the AWS CLI, and check it for a deployment')
    .addOption(choice('--accept <limit...>', 'limits that may be short', limitIds))
    .option('--all', 'print every limit and all advice')
    .option('--json', 'print the report as JSON')
}

/** @throws CommanderError for an option that is wrong, or does not go with another */
function parseFlags(command: Command, args: readonly string[]): Flags {
  const flags = command.parse([...args], { from: 'user' }).opts<Flags>()
  const { kind, shards, databases } = flags
  if (shards > 1 && kind === 'red-packet') command.error('error: --shards must be 1 for red packets')
  if (shards > databases) {
    command.error(`error: --shards ${shards} needs at least as many databases (--databases ${shards})`)
  }
  return flags
}

/** Returns the plan of the options. The report proposes a spread where none is given. */
const planOf = (flags: Flags, forecast: Forecast): SalePlan => {
  const { kind, challenge, sales, shards, databases, waitMinutes, signInMinutes, perAddress } = flags
  return {
    kind,
    challenge,
    sales,
    shards,
    databases,
    waitMinutes,
    signInMinutes,
    perAddress,
    shoppers: flags.shoppers ?? forecast.shoppers,
    stock: flags.stock ?? forecast.stock,
    openingSeconds: flags.within ?? forecast.openingSeconds,
    busiestShare: flags.busiestRegion / 100,
    newShare: flags.newShoppers / 100,
    spreadSeconds: flags.spread ?? 0,
  }
}

type PreflightPorts = { print: (text: string) => void; printError: (text: string) => void }

/** Builds the report. `deployment` has the rows of the account, as `npm run deploy` shows them. */
async function reportFor(flags: Flags): Promise<PreflightReport & { deployment?: CheckRow[] }> {
  const settings = stages[flags.stage ?? 'prod']
  const account = flags.account === true ? await readAccount(awsCli, settings) : undefined
  const quotas = account?.quotas ?? settings.quotas
  // Without a stage the sale is the example of the guides: the forecast of `prod` is a million shoppers.
  const plan = planOf(flags, flags.stage === undefined ? stages.small.forecast : settings.forecast)
  const report = buildReport(plan, flags.spread === undefined, settings, quotas, flags.accept ?? [])
  if (account === undefined) return report
  const deployment = await readTable(accountChecks, { settings, aws: awsCli, senderFor: requestSender })
  return { ...report, account: account.readings, deployment }
}

/** Returns the exit code. */
export async function runPreflight(args: readonly string[], { print, printError }: PreflightPorts): Promise<number> {
  let flags: Flags
  const command = preflightCommand().exitOverride()
  try {
    const trimmed = (write: (text: string) => void) => (text: string) => write(text.replace(/\n$/, ''))
    flags = parseFlags(command.configureOutput({ writeOut: trimmed(print), writeErr: trimmed(printError) }), args)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
  const report = await reportFor(flags)
  const table = report.deployment === undefined ? [] : ['', 'A deployment:', ...tableLines(report.deployment)]
  const lines = [...reportLines(report, flags.all === true), ...table]
  print(flags.json ? JSON.stringify(report, null, 2) : lines.join('\n'))
  return report.ready ? 0 : 1
}

if (isMain(import.meta.url)) {
  process.exitCode = await runPreflight(process.argv.slice(2), {
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
  })
}
