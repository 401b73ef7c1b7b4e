/** The options of `npm run preflight`; what they leave out comes from the stage's settings. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { type ChallengeKind, challengeKinds } from '../../core/gate/challenge.ts'
import { defaultSessionSeconds } from '../../core/people/session-cookies.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { maxSpreadSeconds, type SaleKind, saleKinds } from '../../core/sale/settings.ts'
import { maxDatabases } from '../../core/stock/database.ts'
import { type PriceRegion, priceBooks, priceRegionOf } from '../../infra/prices.ts'
import type { Forecast } from '../../infra/settings/arithmetic.ts'
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import { stages } from '../../infra/settings/stages.ts'
import { type LimitId, limitIds } from './limits.ts'
import { type Arrival, arrivals, type Plan, usualHabits } from './plan.ts'
import { type RedisPlan, redisPlans } from './sale-cost.ts'
import { proposeSpread, type SpreadAdvice } from './spread.ts'

type StageName = keyof typeof stages

/** The plan of Upstash for a large sale, or the cheapest. */
const redisPlanOf = ({ isProduction, size }: StageSettings): RedisPlan =>
  isProduction && size === 'full' ? 'fixed-prod-pack' : 'payg'

export type Flags = {
  stage: StageName
  kind: SaleKind
  shoppers?: number
  stock?: number
  within?: number
  spread?: number
  sales: number
  shards: number
  databases: number
  waitMinutes: number
  signInMinutes: number
  sellSeconds: number
  signInArrival: Arrival
  loads: number
  clicks: number
  busiestRegion: number
  arrival: Arrival
  edgeRunMs: number
  edgeColdMs: number
  office: number
  passes: number
  elsewhere: number
  entrants: number
  challenge: ChallengeKind
  lateFlip?: true
  lambdaConcurrency?: number
  edgeConcurrency?: number
  edgeRps?: number
  distributionRps?: number
  redisCps?: number
  paymentPages?: number
  account?: true
  accept?: LimitId[]
  redisPlan?: RedisPlan
  prices?: PriceRegion
  formulas?: true
  scale?: true
  json?: true
  sale?: string
}

const whole = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) {
    throw new InvalidArgumentError(`a whole number from ${min} to ${max} is needed`)
  }
  return value
}

const sessionMinutes = defaultSessionSeconds / 60
const people = whole(1, 100_000_000)
const units = whole(1, 10_000_000)
const quota = whole(1, 1_000_000_000)

export function preflightCommand(): Command {
  const { waitMinutes, signInMinutes, signInArrival, sellSeconds, pageLoads, clicks } = usualHabits
  const { busiestShare, officePeople, arrival } = usualHabits
  const { edgeRunSeconds, edgeColdSeconds, sales, shards, databases, passShare, elementShare } = usualHabits
  return new Command('preflight')
    .description(
      'Compare what a sale needs with the limits of a stage and its account, and estimate its cost.\nExit code 0: it fits. 1: a limit is short. 2: an option is wrong.',
    )
    .addOption(
      new Option('--stage <stage>', 'stage whose settings to use').choices(Object.keys(stages)).default('prod'),
    )
    .option(
      '--sale <saleId>',
      'a sale of the shop: its kind, stock, shards, bot check and spread, and as many shoppers as its reminders promise, unless an option says otherwise (SLUICE_URL and SLUICE_TOKEN, or the local system)',
    )
    .addOption(new Option('--kind <kind>', 'kind of sale').choices([...saleKinds]).default('goods'))
    .option('--shoppers <n>', "how many want to buy (default: the stage's forecast)", people)
    .option(
      '--stock <n>',
      "units on sale, or red packets (default: the stage's forecast); unlimited: as many as shoppers",
      units,
    )
    .option(
      '--within <seconds>',
      "how long the first rush of clicks lasts (default: the stage's forecast)",
      whole(1, 86_400),
    )
    .option(
      '--spread <seconds>',
      'spreadSeconds of the sale, 0 for none (default: as many as the gate needs)',
      whole(0, maxSpreadSeconds),
    )
    .addOption(new Option('--challenge <kind>', 'bot check of the sale').choices([...challengeKinds]).default('off'))
    .option('--sales <n>', 'sales at the same time that share shoppers and stock', whole(1, 1000), sales)
    .option(
      '--shards <n>',
      'databases that the stock of each sale is split over (shards of the sale)',
      whole(1, maxDatabases),
      shards,
    )
    .option(
      '--databases <n>',
      "databases of the stocks; with several the gate's is another",
      whole(1, maxDatabases),
      databases,
    )
    .optionsGroup('Assumptions about shoppers:')
    .option('--wait-minutes <n>', 'how long before the start shoppers come', whole(0, 1440), waitMinutes)
    .option(
      '--sign-in-minutes <n>',
      'in how long before the start all shoppers sign in; a session lasts eight hours',
      whole(1, sessionMinutes),
      signInMinutes,
    )
    .addOption(
      new Option(
        '--sign-in-arrival <curve>',
        'how sign-ins come: evenly, or most of them right before the start, as people react to it',
      )
        .choices([...arrivals])
        .default(signInArrival),
    )
    .option('--loads <n>', 'times that each shopper loads the page', whole(1, 1000), pageLoads)
    .option('--clicks <n>', 'clicks of each shopper', whole(1, 1000), clicks)
    .option('--sell-seconds <n>', 'how long the stock may take to sell', whole(1, 86_400), sellSeconds)
    .addOption(
      new Option(
        '--arrival <curve>',
        'how first clicks come: as people react, of 10 s 40 % in the first second, or evenly',
      )
        .choices([...arrivals])
        .default(arrival),
    )
    .option(
      '--busiest-region <percent>',
      'share of the clicks in one region of Lambda@Edge; less than all where shoppers live in several',
      whole(1, 100),
      busiestShare * 100,
    )
    .option('--edge-run-ms <n>', 'run of the gate for one click', whole(1, 30_000), edgeRunSeconds * 1000)
    .option(
      '--edge-cold-ms <n>',
      'first click at a new environment of the gate',
      whole(1, 30_000),
      edgeColdSeconds * 1000,
    )
    .option('--office <n>', 'shoppers behind one address', whole(1, 1_000_000), officePeople)
    .option('--entrants <n>', 'shoppers who enter the draw of the sale', whole(0, 16_000_000), 0)
    .option('--passes <percent>', 'shoppers whose sign-in gives no pass', whole(0, 100), passShare * 100)
    .option(
      '--elsewhere <percent>',
      'shoppers who buy on pages of other sites, in an element',
      whole(0, 100),
      elementShare * 100,
    )
    .option('--late-flip', 'the marketer starts the sale at the last moment or later, so pages poll often')
    .optionsGroup("Quotas to try in place of the stage's own (quotas in its settings):")
    .option('--account', 'read the quotas of the account with the AWS CLI')
    .option('--lambda-concurrency <n>', "concurrency in the stage's region", quota)
    .option('--edge-concurrency <n>', 'concurrency in each region of Lambda@Edge', quota)
    .option('--edge-rps <n>', 'Lambda@Edge requests a second in each region', quota)
    .option('--distribution-rps <n>', 'requests a second at the distribution', quota)
    .option('--redis-cps <n>', 'commands a second of each Redis database', quota)
    .option('--payment-pages <n>', 'payment pages that the provider opens in a second', quota)
    .addOption(
      new Option('--accept <limit...>', 'limits that may be short, such as edge-starts').choices([...limitIds]),
    )
    .optionsGroup('Output:')
    .addOption(
      new Option(
        '--redis-plan <plan>',
        'Upstash plan (default: fixed-prod-pack for production of full size, payg for others)',
      ).choices([...redisPlans]),
    )
    .addOption(
      new Option('--prices <book>', "price book (default: that of the stage's region)").choices(
        Object.keys(priceBooks),
      ),
    )
    .option('--formulas', 'show the formula of each need')
    .option(
      '--scale',
      'print what every tier needs at 100,000 and 600,000 requests/s and 100,000 orders/s, and no sale',
    )
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

export type Question = {
  plan: Plan
  settings: StageSettings
  quotas: Quotas
  accepted: readonly LimitId[]
  redisPlan: RedisPlan
  priceRegion: PriceRegion
  spread: SpreadAdvice
}

export const settingsOf = ({ stage }: Pick<Flags, 'stage'>): StageSettings => stages[stage]

/**
 * `read` are the quotas of the account with --account, otherwise those of the settings. An option
 * overrides both.
 */
export function questionOf(flags: Flags, read?: Quotas): Question {
  const settings = settingsOf(flags)
  const { forecast } = settings
  const plan = planOf(flags, forecast)
  const quotas = quotasOf(flags, read ?? settings.quotas)
  const spread = proposeSpread(plan, settings, quotas)
  return {
    settings,
    plan: { ...plan, spreadSeconds: flags.spread ?? spread.seconds },
    quotas,
    accepted: flags.accept ?? [],
    redisPlan: flags.redisPlan ?? redisPlanOf(settings),
    priceRegion: flags.prices ?? priceRegionOf(settings.region),
    spread,
  }
}

function planOf(flags: Flags, forecast: Forecast): Plan {
  return {
    ...usualHabits,
    kind: flags.kind,
    shoppers: flags.shoppers ?? forecast.shoppers,
    stock: flags.stock ?? forecast.stock,
    openingSeconds: flags.within ?? forecast.openingSeconds,
    sales: flags.sales,
    shards: flags.shards,
    databases: flags.databases,
    waitMinutes: flags.waitMinutes,
    signInMinutes: flags.signInMinutes,
    sellSeconds: flags.sellSeconds,
    signInArrival: flags.signInArrival,
    pageLoads: flags.loads,
    clicks: flags.clicks,
    busiestShare: flags.busiestRegion / 100,
    arrival: flags.arrival,
    edgeRunSeconds: flags.edgeRunMs / 1000,
    edgeColdSeconds: flags.edgeColdMs / 1000,
    officePeople: flags.office,
    passShare: flags.passes / 100,
    elementShare: flags.elsewhere / 100,
    isFlippedLate: flags.lateFlip === true,
  }
}

const quotasOf = (flags: Flags, quotas: Quotas): Quotas => ({
  functionConcurrency: flags.lambdaConcurrency ?? quotas.functionConcurrency,
  edgeConcurrency: flags.edgeConcurrency ?? quotas.edgeConcurrency,
  edgeRequestsPerSecond: flags.edgeRps ?? quotas.edgeRequestsPerSecond,
  distributionRequestsPerSecond: flags.distributionRps ?? quotas.distributionRequestsPerSecond,
  redisCommandsPerSecond: flags.redisCps ?? quotas.redisCommandsPerSecond,
  paymentPagesPerSecond: flags.paymentPages ?? quotas.paymentPagesPerSecond,
})
