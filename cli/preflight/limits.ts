/**
 * Every limit that a sale can meet, one row each: what the sale needs, what there is, who can raise
 * it and how, and what shoppers notice when it is short. A limit follows the crowd, which is a
 * forecast and needs some room, or the stock, which is known and may use a limit up.
 */

import { maxQueueMs } from '../../core/orders/order-life.ts'
import { maxSpreadSeconds } from '../../core/sale/settings.ts'
import { maxDatabases } from '../../core/stock/database.ts'
import { orderPartCount, packetPartCount } from '../../functions/table/keys.ts'
import { runSeconds, tableWritesPerClaim, tableWritesPerOrder } from '../../infra/settings/arithmetic.ts'
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import { edgeRegions } from '../../system/edge-regions.ts'
import type { FunctionName } from '../../system/functions.ts'
import { keyValueQuotas } from '../../system/key-value-store.ts'
import { consumptions } from '../../system/queues.ts'
import {
  accountConcurrency,
  type Demand,
  demandOf,
  gateConcurrency,
  gateRequestsPerSecond,
  gateStarts,
  grouped,
  type Need,
  paymentConcurrency,
  readerConcurrency,
  reservedInAll,
  sellerConcurrency,
  sellerProvisioned,
  signInConcurrency,
  signInsPerSecond,
  startsAtOnce,
} from './concurrency.ts'
import { asksInBusiestMinute, callsInBusiestMinute, type Plan, pollPaceOf, rolesOf } from './plan.ts'
import { putProvisioned } from './provisioned.ts'
import {
  besidePollsPerSecond,
  busiestCommands,
  commandsOfOne,
  commandsOfShard,
  gateCommandsPerSecond,
  gateInstances,
  isBoundByCap,
  pollBytes,
  shardsTogether,
  stockOfOne,
  writesOfOneSale,
  writingFloorSeconds,
} from './rates.ts'

/** Who can change a limit: AWS or Upstash on request, the stage's settings, or neither. */
type Owner = 'quota' | 'settings' | 'fixed'
export type Cause = 'crowd' | 'stock'

/** `source` is a public document, or a path in the settings. */
type Amount = { amount: number; owner: Owner; source: string }

/** The planned sale on a stage with the quotas of an account. */
type Case = {
  plan: Plan
  settings: StageSettings
  quotas: Quotas
  /** The file to edit. */
  file: string
} & ReturnType<typeof rolesOf>

type Row = {
  name: (sale: Case) => string
  follows: Cause
  /** No need depends on a quota: advice to raise a quota would raise the need with it. */
  need: (demand: Demand) => Need
  limit: (sale: Case) => Amount
  /** What to do when it is short; `ask` is the amount to have. */
  remedy: (ask: string, sale: Case) => string
  consequence: (sale: Case) => string
  /** Absent: on every stage, for every kind of sale. */
  applies?: (sale: Case) => boolean
}

const docs = 'https://docs.aws.amazon.com'
const cloudFrontQuotas = `${docs}/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html`
const lambdaQuotas = `${docs}/lambda/latest/dg/gettingstarted-limits.html`
const lambdaScaling = `${docs}/lambda/latest/dg/scaling-behavior.html`
const sqsQuotas = `${docs}/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html`
const cognitoQuotas = `${docs}/cognito/latest/developerguide/quotas.html`
const transactions = `${docs}/amazondynamodb/latest/developerguide/transaction-apis.html`
const partitions = `${docs}/amazondynamodb/latest/developerguide/bp-partition-key-design.html`

/** Sign-ins of a user pool in a second (cognitoQuotas). */
export const cognitoSignIns = 120
/** Gbit/s (cloudFrontQuotas). */
const distributionGigabits = 150
/** Messages received and not yet deleted (sqsQuotas). */
const maxInFlight = 120_000
const partitionWritesPerSecond = 1000

const rejected =
  'CloudFront answers the requests beyond it with 503, and their buttons rest ten seconds. Nothing is lost.'
const throttled = 'Admitted requests are throttled; pages retry.'
const readLater = 'Buyers see their order or packet later.'
const writtenLater = ({ queue }: Case) => `Accepted units wait in the queue ${queue}. Nothing is lost.`

const quota = (name: keyof Quotas, source: string) => ({
  limit: ({ quotas }: Case): Amount => ({ amount: quotas[name], owner: 'quota', source }),
  thenSet: ({ file }: Pick<Case, 'file'>) => `then set quotas.${name} in ${file}`,
})
const distributionRequests = quota('distributionRequestsPerSecond', cloudFrontQuotas)
const edgeRequests = quota('edgeRequestsPerSecond', cloudFrontQuotas)
const edgeConcurrency = quota('edgeConcurrency', lambdaQuotas)
const accountQuota = quota('functionConcurrency', lambdaQuotas)
const redisCommands = quota('redisCommandsPerSecond', 'https://upstash.com/docs/redis/overall/billing')

const paymentPages = quota('paymentPagesPerSecond', 'https://docs.stripe.com/rate-limits')

/** What to do about the gate's limits before AWS is asked. */
const spreadFurther = ({ plan }: Case): string =>
  plan.spreadSeconds < maxSpreadSeconds
    ? `Spread the first clicks: set spreadSeconds of the sale, at most ${maxSpreadSeconds} (--spread). Otherwise: `
    : ''

const inEachEdgeRegion = `in each of the ${edgeRegions.length} regions of Lambda@Edge, those near your shoppers first`

/** The row of a function that has a reservation, or shares what the account has unreserved. */
function concurrencyOf(which: (sale: Case) => FunctionName): Pick<Row, 'name' | 'limit' | 'remedy'> {
  return {
    name: (sale) => `concurrency of ${which(sale)}`,
    limit(sale) {
      const { reserved } = sale.settings.functions[which(sale)]
      const unreserved = sale.quotas.functionConcurrency - reservedInAll(sale.settings)
      return reserved === undefined
        ? { amount: Math.max(0, unreserved), owner: 'quota', source: 'what the account has unreserved' }
        : { amount: reserved, owner: 'settings', source: `functions.${which(sale)}.reserved` }
    },
    remedy(ask, sale) {
      const { plan, settings, file } = sale
      const name = which(sale)
      if (settings.functions[name].reserved === undefined) {
        return 'It has no reservation and shares what the region has: see account-concurrency.'
      }
      return settings.sells.includes(plan.kind)
        ? `Set functions.${name}.reserved to ${ask} in ${file} and deploy.`
        : `Add '${plan.kind}' to what ${settings.name} sells in ${file} and deploy: ${name} needs ${ask}.`
    },
  }
}

/**
 * How provisioned environments come to a stage that keeps them all the time, and to one that does
 * not.
 */
function provision({ settings, seller }: Case, environments: string): string {
  if (settings.keepProvisioned) return 'deploy'
  return `provision them before the sale: ${putProvisioned(settings, seller, environments)}`
}

const warmThroughput = (field: 'warmWritesPerSecond' | 'warmReadsPerSecond'): Pick<Row, 'limit' | 'remedy'> => ({
  limit: ({ settings }) => ({ amount: settings.table[field], owner: 'settings', source: `table.${field}` }),
  remedy: (ask, { file }) => `Set table.${field} to ${ask} in ${file} and deploy a day before.`,
})

function pageRequestsPerSecond(plan: Plan): Need {
  const { near } = pollPaceOf(plan)
  const [more, what] = besidePollsPerSecond(plan)
  return {
    amount: Math.ceil(plan.shoppers / near) + more,
    formula: `${grouped(plan.shoppers)} pages poll every ${near} s + ${grouped(more)} ${what}/s`,
  }
}

/**
 * Orders or claims written in a second: the queue evens them out, so a second's stock may take two.
 */
const writtenPerSecond = ({ plan, settings, rate }: Demand): number =>
  Math.min(rate, writesOfOneSale(plan, settings) * plan.sales, Math.ceil(plan.stock / 2))

/** Commands a second of the gate's store. */
const gateCommands = (plan: Plan): Need => ({
  amount: gateInstances(plan) * gateCommandsPerSecond,
  formula: `${grouped(gateInstances(plan))} instances of the gate × ${grouped(gateCommandsPerSecond)}`,
})

/** Advice for sales that are too much for the databases that they are placed in. */
function moreDatabases(ask: string, { plan, quotas, file }: Case): string {
  const rate = quotas.redisCommandsPerSecond
  const askUpstash = `ask Upstash for ${ask} commands/s; ${redisCommands.thenSet({ file })}.`
  const shards = Math.max(plan.shards, Math.ceil(commandsOfOne(plan) / plan.sellSeconds / rate))
  const longer = `let the stock take ${grouped(Math.ceil(busiestCommands(plan) / rate))} s (--sell-seconds)`
  if (plan.kind === 'red-packet' && shards > 1) {
    return `The packets of a sale are in one database, so more databases do not help. Sell it as several sales in as many databases (--sales, --databases), ${longer}, or ${askUpstash}`
  }
  const shardsPerDatabase = Math.floor((rate * plan.sellSeconds) / commandsOfShard({ ...plan, shards }))
  const enough = Math.max(shards, Math.ceil((plan.sales * shards) / shardsPerDatabase))
  if (enough > maxDatabases) {
    return `It needs ${grouped(enough)} databases, and one shop lists at most ${maxDatabases}. Sell it in several shops or at different times, ${longer}, or ${askUpstash}`
  }
  const split =
    shards === plan.shards ? '' : `Split each stock over ${shards} databases (shards of the sale; --shards ${shards}). `
  const add = `Add databases to stockDatabases of the secret until there are ${enough} (--databases ${enough}; their price is below)`
  return `${split}${enough > plan.databases ? add : 'There are enough databases for that'}, or ${askUpstash}`
}

const rows = {
  'distribution-requests': {
    name: () => 'requests/s at the distribution',
    follows: 'crowd',
    need: ({ plan }) => pageRequestsPerSecond(plan),
    limit: distributionRequests.limit,
    remedy: (ask, sale) =>
      `${sale.plan.isFlippedLate ? 'Start the sale at least a minute before its time, so that armed pages poll seldom. Otherwise: ' : ''}Service Quotas, us-east-1, Amazon CloudFront, "Requests per second per distribution": ask for ${ask}; ${distributionRequests.thenSet(sale)}.`,
    consequence: () => 'CloudFront may answer 503; pages keep their countdown and retry.',
  },
  'distribution-gigabits': {
    name: () => 'Gbit/s out of the distribution',
    follows: 'crowd',
    need({ plan }) {
      const { amount: requests } = pageRequestsPerSecond(plan)
      return {
        amount: (requests * pollBytes * 8) / 1e9,
        formula: `${grouped(requests)} requests/s × ${grouped(pollBytes)} bytes × 8`,
      }
    },
    limit: () => ({ amount: distributionGigabits, owner: 'quota', source: cloudFrontQuotas }),
    remedy: (ask) =>
      `Service Quotas, us-east-1, Amazon CloudFront, "Data transfer rate per distribution": ask for ${ask} Gbit/s.`,
    consequence: () => 'CloudFront may answer 503.',
  },
  'edge-store': {
    name: () => 'bytes of the key-value store',
    follows: 'stock',
    need({ plan }) {
      const { keyBytes, valueBytes } = keyValueQuotas
      return {
        amount: (plan.sales + 1) * (keyBytes + valueBytes),
        formula: `(${grouped(plan.sales)} sales + the keys of passes) × at most ${grouped(keyBytes + valueBytes)} bytes`,
      }
    },
    limit: () => ({ amount: keyValueQuotas.storeBytes, owner: 'fixed', source: cloudFrontQuotas }),
    remedy: () => 'Hold fewer sales at the same time, or in several stages.',
    consequence: () => 'Clicks for the sales without an entry start the gate, which answers them itself.',
  },
  'edge-requests': {
    name: () => 'edge requests/s, busiest region',
    follows: 'crowd',
    need: ({ plan }) => gateRequestsPerSecond(plan),
    limit: edgeRequests.limit,
    remedy: (ask, sale) =>
      `${spreadFurther(sale)}Support case for a quota of CloudFront, Lambda@Edge requests per second: ask for ${ask} ${inEachEdgeRegion}; ${edgeRequests.thenSet(sale)}.`,
    consequence: () => rejected,
  },
  'edge-concurrency': {
    name: () => 'edge concurrency, busiest region',
    follows: 'crowd',
    need: ({ plan }) => gateConcurrency(plan),
    limit: edgeConcurrency.limit,
    remedy: (ask, sale) =>
      `${spreadFurther(sale)}Service Quotas, AWS Lambda, "Concurrent executions": ask for ${ask} ${inEachEdgeRegion}; ${edgeConcurrency.thenSet(sale)}.`,
    consequence: () => rejected,
  },
  'edge-starts': {
    name: () => 'edge starts, busiest region',
    follows: 'crowd',
    need: ({ plan }) => gateStarts(plan),
    limit: () => ({ amount: startsAtOnce, owner: 'fixed', source: lambdaScaling }),
    remedy: (_, sale) =>
      `Not a quota: Lambda starts 1,000 in ten seconds, in each region. ${spreadFurther(sale)}Set challenge to "pow" or "turnstile": pages then call the gate over the two minutes before the start, and its environments are warm. Talk to AWS Support before the date, and run again with --accept edge-starts. Where shoppers live near several regions, say so (--busiest-region). A faster cold start needs fewer: measure it (--edge-cold-ms).`,
    consequence: () => `${rejected} It lasts until enough environments run.`,
  },
  'account-concurrency': {
    name: ({ settings }) => `Lambda concurrency, ${settings.region}`,
    follows: 'crowd',
    need: accountConcurrency,
    limit: accountQuota.limit,
    remedy: (ask, sale) =>
      `Service Quotas, ${sale.settings.region}, AWS Lambda, "Concurrent executions": ask for ${ask}; ${accountQuota.thenSet(sale)}. The gate runs in that region too, out of what is not reserved.`,
    consequence: () => 'Lambda throttles what has no reservation: the gate in that region, and functions without one.',
  },
  'redis-commands': {
    name: ({ plan }) => (plan.databases === 1 ? 'Redis commands/s' : "Redis commands/s, gate's database"),
    follows: 'crowd',
    need({ plan }) {
      const gate = gateCommands(plan)
      if (plan.databases > 1) return { ...gate, amount: Math.ceil(gate.amount) }
      const selling = busiestCommands(plan)
      return {
        amount: Math.ceil(gate.amount + selling / plan.sellSeconds),
        formula: `${gate.formula} + ${grouped(selling)} to sell all in ${plan.sellSeconds} s`,
      }
    },
    limit: redisCommands.limit,
    remedy: (ask, sale) =>
      `Give the gate a database of its own (gateUrl of the secret); ask Upstash for ${ask} commands/s, or for read regions of the gate's database; ${redisCommands.thenSet(sale)}. A faster gate needs fewer: measure it in a rehearsal (--edge-run-ms).`,
    consequence: () => 'Upstash delays commands; after 0.8 s the gate answers "unavailable" and admits no request.',
  },
  'stock-commands': {
    name: () => 'Redis commands/s, busiest stock',
    follows: 'stock',
    need({ plan }) {
      const [together, one] = [shardsTogether(plan), commandsOfShard(plan)]
      const parts = plan.shards === 1 ? '' : `, each over ${grouped(plan.shards)}`
      return {
        amount: Math.ceil(busiestCommands(plan) / plan.sellSeconds),
        formula: `${grouped(plan.sales)} sales in ${grouped(plan.databases)} databases${parts}: ${grouped(together)} × ${grouped(one)} to sell all in ${plan.sellSeconds} s`,
      }
    },
    limit: redisCommands.limit,
    remedy: moreDatabases,
    consequence: () =>
      'Upstash delays commands; after a second clicks fail as "unavailable", and pages retry. Nothing is lost.',
  },
  'seller-concurrency': {
    ...concurrencyOf(({ seller }) => seller),
    follows: 'stock',
    need: sellerConcurrency,
    consequence: () => throttled,
  },
  'seller-provisioned': {
    name: ({ seller }) => `provisioned environments of ${seller}`,
    follows: 'stock',
    need: sellerProvisioned,
    limit: ({ settings, seller }) => ({
      amount: settings.functions[seller].provisioned ?? 0,
      owner: 'settings',
      source: `functions.${seller}.provisioned`,
    }),
    remedy: (ask, sale) =>
      `Set functions.${sale.seller}.provisioned to ${ask} in ${sale.file}, and ${provision(sale, ask)}.`,
    consequence: () => 'The first requests wait about half a second for an environment to start.',
    applies: ({ settings, seller }) => settings.functions[seller].provisioned !== undefined,
  },
  'seller-starts': {
    name: ({ seller }) => `starts of ${seller}`,
    follows: 'stock',
    need(demand) {
      const { amount } = sellerConcurrency(demand)
      const { provisioned = 0 } = demand.settings.functions[rolesOf(demand.plan).seller]
      return {
        amount: Math.max(0, amount - provisioned),
        formula: `${grouped(amount)} at once − ${grouped(provisioned)} provisioned`,
      }
    },
    limit: () => ({ amount: startsAtOnce, owner: 'fixed', source: lambdaScaling }),
    remedy: (ask, sale) =>
      `${ask} would have to start: raise functions.${sale.seller}.provisioned in ${sale.file}; then ${provision(sale, '<n>')}.`,
    consequence: () => throttled,
  },
  'sign-in-concurrency': {
    ...concurrencyOf(() => 'sign-in'),
    follows: 'crowd',
    need: ({ plan }) => signInConcurrency(plan),
    consequence: () =>
      'Sign-in answers "try again" to the others. Invite shoppers earlier: before the start the page asks them to sign in.',
  },
  'sign-in-issuer': {
    name: () => 'sign-ins/s at Cognito',
    follows: 'crowd',
    need: ({ plan }) => signInsPerSecond(plan),
    limit: () => ({ amount: cognitoSignIns, owner: 'quota', source: cognitoQuotas }),
    remedy: (ask, { settings }) =>
      `Service Quotas, ${settings.region}, Amazon Cognito user pools, "Rate of UserAuthentication requests": ask for ${ask}, which is billed each month. Or invite shoppers earlier (--sign-in-minutes).`,
    consequence: () => 'Cognito refuses the others, who try again.',
    applies: ({ settings }) => settings.signIn.kind === 'cognito',
  },
  'reader-concurrency': {
    ...concurrencyOf(({ reader }) => reader),
    follows: 'stock',
    need: readerConcurrency,
    consequence: () => readLater,
  },
  'payment-concurrency': {
    ...concurrencyOf(() => 'payments'),
    follows: 'stock',
    need: paymentConcurrency,
    consequence: () => 'The payment provider retries its messages later.',
    applies: ({ plan }) => plan.kind === 'goods',
  },
  'payment-pages': {
    name: () => 'payment pages/s',
    follows: 'stock',
    need: ({ plan }) => ({
      amount: Math.ceil(plan.stock / (plan.sellSeconds + maxQueueMs / 1000)),
      formula: `${grouped(plan.stock)} winners ÷ (${plan.sellSeconds} s of sale + ${maxQueueMs / 1000} s in which the time to pay stands still)`,
    }),
    ...paymentPages,
    remedy: (ask, sale) =>
      `Ask the payment provider weeks before the sale for ${ask} pages/s and some room; ${paymentPages.thenSet(sale)} and deploy.`,
    consequence: () => 'The last winners lose time to pay while they wait for their page.',
    applies: ({ plan }) => plan.kind === 'goods',
  },
  'queue-rate': {
    name: ({ queue }) => `${queue}/s written for one sale`,
    follows: 'stock',
    need: ({ plan }) => ({
      amount: Math.ceil(stockOfOne(plan) / plan.sellSeconds),
      formula: `${grouped(stockOfOne(plan))} ${rolesOf(plan).queue} in ${plan.sellSeconds} s`,
    }),
    limit({ plan, settings }) {
      const amount = writesOfOneSale(plan, settings)
      return isBoundByCap(plan, settings)
        ? { amount, owner: 'fixed', source: transactions }
        : { amount, owner: 'settings', source: `consumers.${rolesOf(plan).queue}` }
    },
    remedy(_, { plan, settings, queue, file }) {
      const longer = `et the stock take ${Math.ceil(writingFloorSeconds(plan, settings))} s (--sell-seconds)`
      return isBoundByCap(plan, settings)
        ? `Nothing to set: more writers would meet at the same items of the cap. L${longer}, or sell it as several sales (--sales).`
        : `Raise consumers.${queue} in ${file} and deploy: each writes half a batch in ${runSeconds.transaction} s. Or l${longer}.`
    },
    consequence: writtenLater,
  },
  'queue-in-flight': {
    name: ({ queue }) => `messages of ${queue} in flight`,
    follows: 'stock',
    need({ plan, settings }) {
      const { queue } = rolesOf(plan)
      const { batchSize } = consumptions[queue]
      const consumers = settings.consumers[queue]
      return { amount: consumers * batchSize, formula: `${consumers} consumers × ${batchSize} messages` }
    },
    limit: () => ({ amount: maxInFlight, owner: 'fixed', source: sqsQuotas }),
    remedy: (_, { queue, file }) => `Lower consumers.${queue} in ${file}.`,
    consequence: writtenLater,
  },
  'table-writes': {
    name: () => 'table writes/s',
    follows: 'stock',
    need(demand) {
      const { kind } = demand.plan
      const each = kind === 'red-packet' ? tableWritesPerClaim : tableWritesPerOrder
      const written = writtenPerSecond(demand)
      return {
        amount: Math.ceil(written * each),
        formula: `${grouped(written)} ${rolesOf(demand.plan).queue}/s × ${grouped(each)} writes`,
      }
    },
    ...warmThroughput('warmWritesPerSecond'),
    consequence: writtenLater,
  },
  'table-reads': {
    name: () => 'table reads/s',
    follows: 'stock',
    need: ({ reads }) => ({ amount: reads, formula: `${grouped(reads)} polls/s of buyers × 1 read` }),
    ...warmThroughput('warmReadsPerSecond'),
    consequence: () => readLater,
  },
  'table-partition': {
    name: () => 'writes/s on the busiest partition',
    follows: 'stock',
    need(demand) {
      const parts = demand.plan.kind === 'red-packet' ? packetPartCount : orderPartCount
      const written = writtenPerSecond(demand)
      return {
        amount: Math.ceil((written * 2) / (parts * demand.plan.sales)),
        formula: `${grouped(written)} ${rolesOf(demand.plan).queue}/s × 2 writes ÷ ${grouped(parts * demand.plan.sales)} partitions`,
      }
    },
    limit: () => ({ amount: partitionWritesPerSecond, owner: 'fixed', source: partitions }),
    remedy: () => 'Sell in several windows: one sale cannot write the orders of one second.',
    consequence: writtenLater,
  },
  flood: {
    name: () => 'requests a minute from one office',
    follows: 'crowd',
    need({ plan }) {
      const asks = asksInBusiestMinute(plan)
      return {
        amount: plan.officePeople * asks,
        formula: `${grouped(plan.officePeople)} people × ${asks} requests in ${plan.isFlippedLate ? 'a minute of waiting for the start' : 'the minute of the start'}`,
      }
    },
    limit: ({ settings }) => ({
      amount: settings.firewall?.floodLimit ?? 0,
      owner: 'settings',
      source: 'firewall.floodLimit',
    }),
    remedy: (ask, { file }) => `Set firewall.floodLimit to ${ask} in ${file} and deploy an hour before.`,
    consequence: () => 'The firewall blocks that office until its requests slow down.',
    applies: ({ settings }) => settings.firewall !== undefined,
  },
  'flood-of-calls': {
    name: () => 'API calls a minute from one office',
    follows: 'crowd',
    need({ plan }) {
      const calls = callsInBusiestMinute(plan)
      return {
        amount: plan.officePeople * calls,
        formula: `${grouped(plan.officePeople)} people × ${calls} calls in the minute of the start`,
      }
    },
    limit: ({ settings }) => ({
      amount: settings.firewall?.callLimit ?? 0,
      owner: 'settings',
      source: 'firewall.callLimit',
    }),
    remedy: (ask, { file }) => `Set firewall.callLimit to ${ask} in ${file} and deploy an hour before.`,
    consequence: () => 'The firewall blocks the clicks of that office until its calls slow down.',
    applies: ({ settings }) => settings.firewall !== undefined,
  },
} satisfies Record<string, Row>

export type LimitId = keyof typeof rows

const table: Record<LimitId, Row> = rows
const isLimitId = (id: string): id is LimitId => id in rows
export const limitIds: readonly LimitId[] = Object.keys(rows).filter(isLimitId)

/** One limit of a stage against what a sale needs of it. `remedy` is given the amount to have. */
export type Limit = Amount & {
  id: LimitId
  name: string
  follows: Cause
  need: Need
  remedy: (ask: string) => string
  consequence: string
}

/** The need of the sale for one limit, whether the stage has that limit or not. */
export function needOf(id: LimitId, plan: Plan, settings: StageSettings): Need {
  return table[id].need(demandOf(plan, settings))
}

/**
 * The limits that apply to the sale. `quotas` are those of the settings, unless others are tried.
 */
export function limitsOf(plan: Plan, settings: StageSettings, quotas: Quotas): Limit[] {
  const sale: Case = { plan, settings, quotas, file: `infra/settings/${settings.name}.ts`, ...rolesOf(plan) }
  const demand = demandOf(plan, settings)
  return limitIds
    .filter((id) => table[id].applies?.(sale) ?? true)
    .map((id) => {
      const row = table[id]
      return {
        id,
        ...row.limit(sale),
        name: row.name(sale),
        follows: row.follows,
        need: row.need(demand),
        remedy: (ask) => row.remedy(ask, sale),
        consequence: row.consequence(sale),
      }
    })
}
