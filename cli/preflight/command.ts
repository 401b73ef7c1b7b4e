/** The options of `npm run preflight`; what they leave out comes from the stage's settings. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { challengeKinds } from '../../core/gate/challenge.ts'
import { defaultSessionSeconds } from '../../core/people/session-cookies.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { maxSpreadSeconds, saleKinds } from '../../core/sale/settings.ts'
import { maxDatabases } from '../../core/stock/database.ts'
import { type PriceRegion, priceBooks } from '../../infra/prices.ts'
import type { Forecast } from '../../infra/settings/arithmetic.ts'
import { stages } from '../../infra/settings/stages.ts'
import { type LimitId, limitIds } from './limits.ts'
import { type Plan, usualPlan } from './plan.ts'

/** What a plan takes from the options as it is. */
type GivenField = 'kind' | 'challenge' | 'sales' | 'shards' | 'databases' | 'waitMinutes' | 'signInMinutes'

export type Flags = Pick<Plan, GivenField> & {
  stage: keyof typeof stages
  sale?: string
  shoppers?: number
  stock?: number
  within?: number
  spread?: number
  busiestRegion: number
  account?: true
  accept?: LimitId[]
  prices?: PriceRegion
  all?: true
  json?: true
}

const choice = (flags: string, description: string, choices: readonly string[]): Option =>
  new Option(flags, description).choices(choices)

function count(flags: string, description: string, min: number, max: number): Option {
  return new Option(flags, description).argParser((text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`a whole number from ${min} to ${max} is needed`)
  })
}

const description = `Compare what a sale needs with the limits of a stage and its account, and estimate its cost.
Exit code 0: it fits. 1: a limit is short. 2: an option is wrong.`
const ofSale =
  'take kind, stock, shards, bot check and spread from a sale of the shop (SLUICE_URL and SLUICE_TOKEN, or the local system)'

export function preflightCommand(): Command {
  const { kind, challenge, sales, shards, databases, waitMinutes, signInMinutes, busiestShare } = usualPlan
  const signedIn = defaultSessionSeconds / 60
  return new Command('preflight')
    .description(description)
    .addOption(choice('--stage <stage>', 'stage whose settings to use', Object.keys(stages)).default('prod'))
    .option('--sale <saleId>', ofSale)
    .addOption(choice('--kind <kind>', 'kind of sale', saleKinds).default(kind))
    .addOption(count('--shoppers <n>', "how many want to buy (default: the stage's forecast)", 1, 1e8))
    .addOption(
      count('--stock <n>', 'units or red packets (default: the forecast); unlimited: as many as shoppers', 1, 1e7),
    )
    .addOption(
      count('--within <seconds>', 'how long the first rush of clicks lasts (default: the forecast)', 1, 86_400),
    )
    .addOption(count('--spread <seconds>', 'spreadSeconds (default: as many as the gate needs)', 0, maxSpreadSeconds))
    .addOption(choice('--challenge <kind>', 'bot check', challengeKinds).default(challenge))
    .addOption(count('--sales <n>', 'sales at the same time that share shoppers and stock', 1, 1000).default(sales))
    .addOption(count('--shards <n>', 'databases for the stock of each sale', 1, maxDatabases).default(shards))
    .addOption(
      count('--databases <n>', "databases of all stocks; the gate's is beside several", 1, maxDatabases).default(
        databases,
      ),
    )
    .addOption(count('--wait-minutes <n>', 'how long before the start shoppers come', 0, 1440).default(waitMinutes))
    .addOption(count('--sign-in-minutes <n>', 'in how long before it they sign in', 1, signedIn).default(signInMinutes))
    .addOption(
      count('--busiest-region <percent>', 'clicks in one region of the edge', 1, 100).default(busiestShare * 100),
    )
    .option('--account', 'read the quotas of the account with the AWS CLI')
    .addOption(choice('--accept <limit...>', 'limits that may be short', limitIds))
    .addOption(choice('--prices <book>', "price book (default: that of the stage's region)", Object.keys(priceBooks)))
    .option('--all', 'print every limit and all advice')
    .option('--json', 'print the report as JSON')
}

/** @throws CommanderError for an option that is wrong, or does not go with another */
export function flagsOf(command: Command, args: readonly string[]): Flags {
  const flags = command.parse([...args], { from: 'user' }).opts<Flags>()
  const { kind, shards, databases } = flags
  if (shards > 1 && kind === 'red-packet') command.error('error: --shards must be 1 for red packets')
  if (shards > databases) {
    command.error(`error: --shards ${shards} needs at least as many databases (--databases ${shards})`)
  }
  return flags
}

/** An option that is missing is taken from the sale. */
export function flagsForSale(
  command: Command,
  flags: Flags,
  { kind, stock, shards, challenge, spreadSeconds: spread }: Sale,
): Flags {
  const known: Partial<Flags> = {
    ...{ kind, shards, challenge, spread, databases: Math.max(shards, flags.databases) },
    ...(stock !== -1 && { stock }),
  }
  const given = Object.entries(flags).filter(([name]) => command.getOptionValueSource(name) === 'cli')
  return { ...flags, ...known, ...Object.fromEntries(given) }
}

/** The plan of the options; its spread is still to be proposed where none is given. */
export const planOf = (flags: Flags, forecast: Forecast): Plan => {
  const { kind, challenge, sales, shards, databases, waitMinutes, signInMinutes } = flags
  return {
    ...{ kind, challenge, sales, shards, databases, waitMinutes, signInMinutes },
    shoppers: flags.shoppers ?? forecast.shoppers,
    stock: flags.stock ?? forecast.stock,
    openingSeconds: flags.within ?? forecast.openingSeconds,
    busiestShare: flags.busiestRegion / 100,
    spreadSeconds: flags.spread ?? 0,
  }
}
