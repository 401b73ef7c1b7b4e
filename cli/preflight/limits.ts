/**
 * Every limit that a sale can meet, one row each: what the sale needs, what there is, who can raise it and how. A limit
 * follows the crowd, which is a forecast and needs some room, or the stock, which is known and may use a limit up. From them
 * follows whether the sale may go ahead, for how large a crowd, and with which spread.
 */
import { maxQueueMs } from '../../core/orders/order-life.ts'
import { maxSpreadSeconds } from '../../core/sale/settings.ts'
import { maxDatabases } from '../../core/stock/database.ts'
import { concurrencyFor, runSeconds, tableWritesPerOrder } from '../../infra/settings/arithmetic.ts'
import type { Quotas } from '../../infra/settings/quotas.ts'
import type { FirewallSetting, StageSettings } from '../../infra/settings/stage.ts'
import { edgeRegions } from '../../system/edge-regions.ts'
import type { FunctionName } from '../../system/functions.ts'
import { codesOf, mailsOf } from './costs.ts'
import {
  accountConcurrency,
  busiestCommands,
  commandsOfShard,
  concurrencyOf,
  type Demand,
  demandOf,
  gateCommandsPerSecond,
  gateConcurrency,
  gateInstances,
  gateRequestsPerSecond,
  gateStarts,
  isBoundByCap,
  isGateAlone,
  pageRequestsPerSecond,
  reservedInAll,
  startsAtOnce,
  stockOfOne,
  writesOfOneSale,
  writtenPerSecond,
} from './load.ts'
import {
  anonymousCallsOfAddress,
  callsOfAddress,
  type Plan,
  readerOf,
  requestsOfAddress,
  sellSeconds,
  signInsPerSecond,
  signUpsPerSecond,
} from './plan.ts'

/** Who can change a limit: AWS, Upstash or Stripe on request, the stage's settings, or fixed. */
type Owner = 'quota' | 'settings' | 'fixed'
type Cause = 'crowd' | 'stock'

/** The planned sale on a stage with the quotas of an account. `file` is the one to edit. */
type Case = Demand & { quotas: Quotas; file: string }

type Row = {
  name: (sale: Case) => string
  follows: Cause
  need: (demand: Demand) => number
  limit: (sale: Case) => number
  owner: (sale: Case) => Owner
  /** What to do when it is short; `ask` is the amount to have. */
  remedy: (ask: string, sale: Case) => string
  /** Absent: on every stage, for every kind of sale. */
  applies?: (sale: Case) => boolean
}

/** A limit whose amount is a quota of the account (infra/settings/quotas.ts has the documents). */
const quota = (name: keyof Quotas, askOf: (sale: Case) => string): Pick<Row, 'limit' | 'owner' | 'remedy'> => ({
  limit: ({ quotas }) => quotas[name],
  owner: () => 'quota',
  remedy: (ask, sale) => `${askOf(sale)}: ask for ${ask}, then set quotas.${name} in ${sale.file}.`,
})

const setting = (path: string, limit: Row['limit'], before: string): Pick<Row, 'limit' | 'owner' | 'remedy'> => ({
  limit,
  owner: () => 'settings',
  remedy: (ask, { file }) => `Set ${path} to ${ask} in ${file} and deploy ${before} before.`,
})

/** A function that has a reservation, or shares what the account has unreserved. */
const concurrency = (nameOf: (plan: Plan) => FunctionName): Omit<Row, 'follows'> => ({
  name: ({ plan }) => `concurrency of ${nameOf(plan)}`,
  need: (demand) => concurrencyOf(demand)[nameOf(demand.plan)] ?? 0,
  limit: (sale) =>
    sale.settings.functions[nameOf(sale.plan)].reserved ??
    Math.max(0, sale.quotas.functionConcurrency - reservedInAll(sale.settings)),
  owner: ({ plan, settings }) => (settings.functions[nameOf(plan)].reserved === undefined ? 'quota' : 'settings'),
  remedy(ask, { plan, settings, file }) {
    const name = nameOf(plan)
    if (settings.functions[name].reserved === undefined) {
      return 'It has no reservation and shares what the region has: see account-concurrency.'
    }
    return name === readerOf(plan) && !settings.sells.includes(plan.kind)
      ? `Add '${plan.kind}' to what ${settings.name} sells in ${file} and deploy: it needs ${ask}.`
      : `Set functions.${name}.reserved to ${ask} in ${file} and deploy.`
  },
})

const isGoods = ({ plan }: Case) => plan.kind === 'goods'

/** Sign-ins of a user pool in a second (https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html). */
const cognitoSignIns = 120

/**
 * Requests of a user pool in a second that make accounts: SignUp and ConfirmSignUp of each new shopper together (the
 * category UserCreation of the same page).
 */
const cognitoSignUps = 50
const requestsPerSignUp = 2

/** Advice for sales that are too much for the databases that they are placed in. */
function moreDatabases(ask: string, { plan, quotas }: Case): string {
  const rate = quotas.redisCommandsPerSecond
  const alone = commandsOfShard({ ...plan, shards: 1 })
  const shards = Math.max(plan.shards, Math.ceil(alone / sellSeconds / rate))
  if (plan.kind === 'red-packet' && shards > 1) {
    return `The packets of a sale are in one database: make it several sales (--sales, --databases), or ask Upstash for ${ask}/s.`
  }
  const enough = Math.max(shards, Math.ceil((plan.sales * shards) / Math.floor((rate * sellSeconds * shards) / alone)))
  if (enough > maxDatabases) {
    return `It needs ${shown(enough)} databases, and one shop lists at most ${maxDatabases}: sell it in several shops or at different times.`
  }
  return `Have ${enough} databases in stockDatabases of the secret${shards > 1 ? ` and ${shards} shards of each sale` : ''} (--databases ${enough} --shards ${shards}).`
}

/** Returns the row of a limit of the firewall for all who share an address. */
const ofAddress = (what: string, needOf: (plan: Plan) => number, field: keyof FirewallSetting): Row => ({
  name: ({ plan }) => `${what}/min, one address of ${shown(plan.perAddress)}`,
  follows: 'crowd',
  need: ({ plan }) => needOf(plan),
  ...setting(`firewall.${field}`, ({ settings }) => settings.firewall?.[field] ?? 0, 'an hour'),
  applies: ({ settings }) => settings.firewall !== undefined,
})

const rows = {
  'distribution-requests': {
    name: () => 'requests/s at the distribution',
    follows: 'crowd',
    need: ({ plan }) => pageRequestsPerSecond(plan),
    ...quota('distributionRequestsPerSecond', () => 'CloudFront, requests per second per distribution, us-east-1'),
  },
  'edge-requests': {
    name: () => 'edge requests/s, busiest region',
    follows: 'crowd',
    need: ({ plan }) => gateRequestsPerSecond(plan),
    ...quota('edgeRequestsPerSecond', () => 'Support case, Lambda@Edge requests per second'),
  },
  'edge-concurrency': {
    name: () => 'edge concurrency, busiest region',
    follows: 'crowd',
    need: ({ plan }) => gateConcurrency(plan),
    ...quota(
      'edgeConcurrency',
      () => `Lambda, concurrent executions in each of the ${edgeRegions.length} regions of the edge`,
    ),
  },
  'edge-starts': {
    name: () => 'edge starts, busiest region',
    follows: 'crowd',
    need: ({ plan }) => gateStarts(plan),
    limit: () => startsAtOnce,
    owner: () => 'fixed',
    remedy: () =>
      'No quota. A challenge warms the gate, several regions share it (--busiest-region). Or --accept edge-starts.',
  },
  'account-concurrency': {
    name: ({ settings }) => `Lambda concurrency, ${settings.region}`,
    follows: 'crowd',
    need: accountConcurrency,
    ...quota('functionConcurrency', ({ settings }) => `Lambda, concurrent executions, ${settings.region}`),
  },
  'redis-commands': {
    name: ({ plan, settings }) => `Redis commands/s${isGateAlone(plan, settings) ? ", gate's database" : ''}`,
    follows: 'crowd',
    need: ({ plan, settings }) =>
      Math.ceil(
        gateInstances(plan) * gateCommandsPerSecond +
          (isGateAlone(plan, settings) ? 0 : busiestCommands(plan) / sellSeconds),
      ),
    ...quota('redisCommandsPerSecond', () => 'Upstash, for a database of the gate alone (gateUrl of the secret)'),
  },
  'stock-commands': {
    name: () => 'Redis commands/s, busiest stock',
    follows: 'stock',
    need: ({ plan }) => Math.ceil(busiestCommands(plan) / sellSeconds),
    limit: ({ quotas }) => quotas.redisCommandsPerSecond,
    owner: () => 'quota',
    remedy: moreDatabases,
  },
  'seller-concurrency': { ...concurrency(() => 'reserve'), follows: 'stock' },
  'seller-provisioned': {
    name: () => 'provisioned environments of reserve',
    follows: 'stock',
    need: ({ rate }) => concurrencyFor(rate, runSeconds.warm),
    limit: ({ settings }) => settings.functions.reserve.provisioned ?? 0,
    owner: () => 'settings',
    remedy: (ask, { file }) => `Set functions.reserve.provisioned to ${ask} in ${file} and provision as many.`,
    applies: ({ settings }) => settings.functions.reserve.provisioned !== undefined,
  },
  'sign-in-concurrency': { ...concurrency(() => 'sign-in'), follows: 'crowd' },
  'sign-in-issuer': {
    name: () => 'sign-ins/s at Cognito',
    follows: 'crowd',
    need: ({ plan }) => Math.ceil(signInsPerSecond(plan)),
    limit: () => cognitoSignIns,
    owner: () => 'quota',
    remedy: (ask) =>
      `Invite shoppers earlier (--sign-in-minutes), or ask AWS for ${ask} UserAuthentication requests/s.`,
    applies: ({ settings }) => settings.signIn.kind === 'cognito',
  },
  'sign-up-issuer': {
    name: () => 'sign-up requests/s at Cognito',
    follows: 'crowd',
    need: ({ plan }) => Math.ceil(signUpsPerSecond(plan) * requestsPerSignUp),
    limit: () => cognitoSignUps,
    owner: () => 'quota',
    remedy: (ask) => `Invite new shoppers earlier (--sign-in-minutes), or ask AWS for ${ask} UserCreation requests/s.`,
    applies: ({ settings }) => settings.signIn.kind === 'cognito',
  },
  'codes-per-second': {
    name: () => 'sign-up codes/s at SES',
    follows: 'crowd',
    need: ({ plan }) => Math.ceil(signUpsPerSecond(plan)),
    ...quota('mailsPerSecond', ({ settings }) => `SES, e-mails a second, ${settings.region}`),
    applies: ({ plan, settings }) => codesOf(plan, settings) > 0,
  },
  'mails-per-day': {
    name: () => 'e-mails a day at SES',
    follows: 'crowd',
    need: ({ plan, settings }) => codesOf(plan, settings) + mailsOf(plan, settings),
    ...quota('mailsPerDay', ({ settings }) => `SES, e-mails in 24 hours, ${settings.region}`),
    applies: ({ plan, settings }) => codesOf(plan, settings) + mailsOf(plan, settings) > 0,
  },
  'reader-concurrency': { ...concurrency(readerOf), follows: 'stock' },
  'payment-concurrency': { ...concurrency(() => 'payments'), follows: 'stock', applies: isGoods },
  'payment-pages': {
    name: () => 'payment pages/s',
    follows: 'stock',
    // The time to pay stands still while an order waits for its page.
    need: ({ plan }) => Math.ceil(plan.stock / (sellSeconds + maxQueueMs / 1000)),
    ...quota('paymentPagesPerSecond', () => 'Payment provider, weeks before the sale'),
    applies: isGoods,
  },
  'queue-rate': {
    name: () => 'orders/s written for one sale',
    follows: 'stock',
    need: ({ plan }) => Math.ceil(stockOfOne(plan) / sellSeconds),
    limit: ({ plan, settings }) => writesOfOneSale(plan, settings),
    owner: ({ plan, settings }) => (isBoundByCap(plan, settings) ? 'fixed' : 'settings'),
    remedy(_, { plan, settings, file }) {
      const seconds = Math.ceil(stockOfOne(plan) / writesOfOneSale(plan, settings))
      const raise = isBoundByCap(plan, settings)
        ? 'Make it several sales (--sales)'
        : `Raise consumers.orders in ${file} and deploy`
      return `${raise}, or let it take ${shown(seconds)} s: nothing is lost (--accept queue-rate).`
    },
  },
  'table-writes': {
    name: () => 'table writes/s',
    follows: 'stock',
    need: (demand) => Math.ceil(writtenPerSecond(demand) * tableWritesPerOrder),
    ...setting('table.warmWritesPerSecond', ({ settings }) => settings.table.warmWritesPerSecond, 'a day'),
  },
  'table-reads': {
    name: () => 'table reads/s',
    follows: 'stock',
    need: ({ reads }) => reads,
    ...setting('table.warmReadsPerSecond', ({ settings }) => settings.table.warmReadsPerSecond, 'a day'),
  },
  flood: ofAddress('requests', requestsOfAddress, 'floodLimit'),
  'flood-of-calls': ofAddress('API calls', callsOfAddress, 'callLimit'),
  'flood-of-sign-ins': ofAddress('sign-in calls', anonymousCallsOfAddress, 'anonymousLimit'),
} satisfies Record<string, Row>

export type LimitId = keyof typeof rows

const table: Record<LimitId, Row> = rows
const isLimitId = (id: string): id is LimitId => id in rows
export const limitIds: readonly LimitId[] = Object.keys(rows).filter(isLimitId)

/** The need of the sale for one limit, whether the stage has that limit or not. */
export const needOf = (id: LimitId, plan: Plan, settings: StageSettings): number =>
  table[id].need(demandOf(plan, settings))

export const shown = (amount: number): string => amount.toLocaleString('en', { maximumFractionDigits: 1 })

/** `share` is need divided by limit. `advice` is absent while the limit is far away. */
export type Finding = ReturnType<typeof findingsOf>[number]

/** Above this share a limit is close: a forecast is never exact. */
const closeFrom = 0.8

/**
 * The limits that apply to the sale. `quotas` are those of the settings, unless those of the account were read; `accepted` are
 * limits that the operator allows to be short.
 */
export function findingsOf(plan: Plan, settings: StageSettings, quotas: Quotas, accepted: readonly LimitId[] = []) {
  const sale: Case = { ...demandOf(plan, settings), quotas, file: `infra/settings/${settings.name}.ts` }
  return limitIds
    .filter((id) => table[id].applies?.(sale) ?? true)
    .map((id) => {
      const { name, follows, owner, remedy, ...row } = table[id]
      const [need, limit] = [row.need(sale), row.limit(sale)]
      const share = limit === 0 ? (need === 0 ? 0 : Number.POSITIVE_INFINITY) : need / limit
      const state = share > 1 ? 'short' : follows === 'crowd' && share > closeFrom ? 'close' : 'ok'
      const advice = state === 'ok' ? undefined : remedy(shown(worthAsking(need, follows)), sale)
      const isAccepted = accepted.includes(id)
      return { id, name: name(sale), owner: owner(sale), need, limit, share, state, isAccepted, advice } as const
    })
}

/** What keeps the sale from going ahead. */
export const obstaclesOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ state, isAccepted }) => state === 'short' && !isAccepted)

/** Where the search for the largest crowd ends. */
const searchLimit = 100_000_000

/** The largest crowd for which no limit is short, 0 when one is for any crowd, and the first limit that a larger one breaks. */
export function bearableOf(
  plan: Plan,
  settings: StageSettings,
  quotas: Quotas,
  accepted: readonly LimitId[] = [],
): { shoppers: number; breaksFirst: LimitId | undefined } {
  const obstacles = (shoppers: number) => obstaclesOf(findingsOf({ ...plan, shoppers }, settings, quotas, accepted))
  // No need shrinks with the crowd, so halving finds it.
  let [borne, tooMany] = [0, searchLimit]
  while (tooMany - borne > 1) {
    const middle = Math.floor((borne + tooMany) / 2)
    if (obstacles(middle).length === 0) borne = middle
    else tooMany = middle
  }
  return { shoppers: borne, breaksFirst: obstacles(tooMany)[0]?.id }
}

/** An amount to ask for, rounded up to two digits; for a crowd the need is four fifths of it. */
export function worthAsking(need: number, follows: Cause): number {
  const roomy = follows === 'crowd' ? need / closeFrom : need
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, roomy))) - 1)
  return Math.ceil(roomy / step) * step
}

/** A limit that the longest spread lowers by less than a tenth is short for another reason. */
const lowersTo = 0.9

/** Proposals are multiples of this, in seconds: finer ones would pretend that the crowd is known exactly. */
const spreadStep = 10

/**
 * The spread to propose (core/gate/spread.ts), which decides how many clicks a second start the gate: the least with
 * which every limit that depends on it has room, or the longest one. 0 when the gate takes the whole crowd at once.
 */
export function proposeSpread(plan: Plan, settings: StageSettings, quotas: Quotas): number {
  const findingsAt = (spreadSeconds: number) => findingsOf({ ...plan, spreadSeconds }, settings, quotas)
  const spread = new Map(findingsAt(maxSpreadSeconds).map(({ id, need }) => [id, need]))
  const lowered = findingsAt(0).filter(
    ({ id, need, state }) => state !== 'ok' && (spread.get(id) ?? need) < need * lowersTo,
  )
  if (lowered.length === 0) return 0
  const ids = new Set(lowered.map(({ id }) => id))
  const hasRoom = (seconds: number) => findingsAt(seconds).every(({ id, state }) => state === 'ok' || !ids.has(id))
  let seconds = spreadStep
  while (seconds < maxSpreadSeconds && !hasRoom(seconds)) seconds += spreadStep
  return seconds
}
