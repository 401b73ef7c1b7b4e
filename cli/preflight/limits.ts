/**
 * Every limit that a sale can reach: what the sale needs, the amount available, who can raise it and how. A need follows
 * the crowd, which is a forecast and needs headroom, or the stock, which is known and may use up a limit. The limits
 * decide whether the sale fits, how large a crowd it can take, and which spread to set.
 */
import { maxQueueMs } from '../../core/orders/order-life.ts'
import { maxSpreadSeconds } from '../../core/sale/settings.ts'
import { maxDatabases } from '../../core/stock/database.ts'
import { concurrencyFor, runSeconds, tableWritesPerOrder } from '../../infra/settings/arithmetic.ts'
import type { Quotas } from '../../infra/settings/quotas.ts'
import type { FirewallSetting, StageSettings } from '../../infra/settings/stage.ts'
import { edgeRegions } from '../../system/edge-regions.ts'
import type { FunctionName } from '../../system/functions.ts'
import { saleMails, signUpCodes } from './costs.ts'
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
  hasOwnGateDatabase,
  isLimitedByCap,
  maxBurstStarts,
  pageRequestsPerSecond,
  stockPerSale,
  totalReserved,
  writesPerSale,
  writtenPerSecond,
} from './load.ts'
import {
  anonymousCallsOfAddress,
  callsOfAddress,
  readerOf,
  requestsOfAddress,
  type SalePlan,
  sellSeconds,
  signInsPerSecond,
  signUpsPerSecond,
} from './plan.ts'

/** Who can change a limit: AWS, Upstash or Stripe on request, the stage's settings, or fixed. */
type Owner = 'quota' | 'settings' | 'fixed'
type Cause = 'crowd' | 'stock'

/** The planned sale on a stage with the quotas of an account. `file` is the one to edit. */
type Case = Demand & { quotas: Quotas; file: string }

type Limit = {
  name: (sale: Case) => string
  follows: Cause
  need: (demand: Demand) => number
  limit: (sale: Case) => number
  owner: (sale: Case) => Owner
  /** Says what to do when the limit is too low; `amount` is the one to ask for. */
  remedy: (amount: string, sale: Case) => string
  /** Absent: on every stage, for every kind of sale. */
  applies?: (sale: Case) => boolean
}

/** A limit whose amount is a quota of the account (infra/settings/quotas.ts has the documents). */
const quota = (name: keyof Quotas, askOf: (sale: Case) => string): Pick<Limit, 'limit' | 'owner' | 'remedy'> => ({
  limit: ({ quotas }) => quotas[name],
  owner: () => 'quota',
  remedy: (amount, sale) => `${askOf(sale)}: ask for ${amount}, then set quotas.${name} in ${sale.file}.`,
})

const setting = (path: string, limit: Limit['limit'], before: string): Pick<Limit, 'limit' | 'owner' | 'remedy'> => ({
  limit,
  owner: () => 'settings',
  remedy: (amount, { file }) => `Set ${path} to ${amount} in ${file} and deploy ${before} before.`,
})

/** The concurrency of a function that has a reservation, or shares the unreserved concurrency of the account. */
const concurrency = (nameOf: (plan: SalePlan) => FunctionName): Omit<Limit, 'follows'> => ({
  name: ({ plan }) => `concurrency of ${nameOf(plan)}`,
  need: (demand) => concurrencyOf(demand)[nameOf(demand.plan)] ?? 0,
  limit: (sale) =>
    sale.settings.functions[nameOf(sale.plan)].reserved ??
    Math.max(0, sale.quotas.functionConcurrency - totalReserved(sale.settings)),
  owner: ({ plan, settings }) => (settings.functions[nameOf(plan)].reserved === undefined ? 'quota' : 'settings'),
  remedy(amount, { plan, settings, file }) {
    const name = nameOf(plan)
    if (settings.functions[name].reserved === undefined) {
      return 'It has no reservation and shares what the region has: see account-concurrency.'
    }
    return name === readerOf(plan) && !settings.sells.includes(plan.kind)
      ? `Add '${plan.kind}' to what ${settings.name} sells in ${file} and deploy: it needs ${amount}.`
      : `Set functions.${name}.reserved to ${amount} in ${file} and deploy.`
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

/** Returns advice for sales that need more commands than their databases allow. */
function databaseAdvice(amount: string, { plan, quotas }: Case): string {
  const rate = quotas.redisCommandsPerSecond
  const alone = commandsOfShard({ ...plan, shards: 1 })
  const shards = Math.max(plan.shards, Math.ceil(alone / sellSeconds / rate))
  if (plan.kind === 'red-packet' && shards > 1) {
    return `The packets of a sale are in one database: make it several sales (--sales, --databases), or ask Upstash for ${amount}/s.`
  }
  const enough = Math.max(shards, Math.ceil((plan.sales * shards) / Math.floor((rate * sellSeconds * shards) / alone)))
  if (enough > maxDatabases) {
    return `It needs ${formatAmount(enough)} databases, and one shop lists at most ${maxDatabases}: sell it in several shops or at different times.`
  }
  return `Have ${enough} databases in stockDatabases of the secret${shards > 1 ? ` and ${shards} shards of each sale` : ''} (--databases ${enough} --shards ${shards}).`
}

/** Returns a limit of the firewall for all shoppers who share an address. */
const addressLimit = (what: string, needOf: (plan: SalePlan) => number, field: keyof FirewallSetting): Limit => ({
  name: ({ plan }) => `${what}/min, one address of ${formatAmount(plan.perAddress)}`,
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
    limit: () => maxBurstStarts,
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
    name: ({ plan, settings }) => `Redis commands/s${hasOwnGateDatabase(plan, settings) ? ", gate's database" : ''}`,
    follows: 'crowd',
    need: ({ plan, settings }) =>
      Math.ceil(
        gateInstances(plan) * gateCommandsPerSecond +
          (hasOwnGateDatabase(plan, settings) ? 0 : busiestCommands(plan) / sellSeconds),
      ),
    ...quota('redisCommandsPerSecond', () => 'Upstash, for a database of the gate alone (gateUrl of the secret)'),
  },
  'stock-commands': {
    name: () => 'Redis commands/s, busiest stock',
    follows: 'stock',
    need: ({ plan }) => Math.ceil(busiestCommands(plan) / sellSeconds),
    limit: ({ quotas }) => quotas.redisCommandsPerSecond,
    owner: () => 'quota',
    remedy: databaseAdvice,
  },
  'seller-concurrency': { ...concurrency(() => 'reserve'), follows: 'stock' },
  'seller-provisioned': {
    name: () => 'provisioned environments of reserve',
    follows: 'stock',
    need: ({ rate }) => concurrencyFor(rate, runSeconds.warm),
    limit: ({ settings }) => settings.functions.reserve.provisioned ?? 0,
    owner: () => 'settings',
    remedy: (amount, { file }) => `Set functions.reserve.provisioned to ${amount} in ${file} and provision as many.`,
    applies: ({ settings }) => settings.functions.reserve.provisioned !== undefined,
  },
  'sign-in-concurrency': { ...concurrency(() => 'sign-in'), follows: 'crowd' },
  'sign-in-issuer': {
    name: () => 'sign-ins/s at Cognito',
    follows: 'crowd',
    need: ({ plan }) => Math.ceil(signInsPerSecond(plan)),
    limit: () => cognitoSignIns,
    owner: () => 'quota',
    remedy: (amount) =>
      `Invite shoppers earlier (--sign-in-minutes), or ask AWS for ${amount} UserAuthentication requests/s.`,
    applies: ({ settings }) => settings.signIn.kind === 'cognito',
  },
  'sign-up-issuer': {
    name: () => 'sign-up requests/s at Cognito',
    follows: 'crowd',
    need: ({ plan }) => Math.ceil(signUpsPerSecond(plan) * requestsPerSignUp),
    limit: () => cognitoSignUps,
    owner: () => 'quota',
    remedy: (amount) =>
      `Invite new shoppers earlier (--sign-in-minutes), or ask AWS for ${amount} UserCreation requests/s.`,
    applies: ({ settings }) => settings.signIn.kind === 'cognito',
  },
  'codes-per-second': {
    name: () => 'sign-up codes/s at SES',
    follows: 'crowd',
    need: ({ plan }) => Math.ceil(signUpsPerSecond(plan)),
    ...quota('mailsPerSecond', ({ settings }) => `SES, emails a second, ${settings.region}`),
    applies: ({ plan, settings }) => signUpCodes(plan, settings) > 0,
  },
  'mails-per-day': {
    name: () => 'emails a day at SES',
    follows: 'crowd',
    need: ({ plan, settings }) => signUpCodes(plan, settings) + saleMails(plan, settings),
    ...quota('mailsPerDay', ({ settings }) => `SES, emails in 24 hours, ${settings.region}`),
    applies: ({ plan, settings }) => signUpCodes(plan, settings) + saleMails(plan, settings) > 0,
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
    need: ({ plan }) => Math.ceil(stockPerSale(plan) / sellSeconds),
    limit: ({ plan, settings }) => writesPerSale(plan, settings),
    owner: ({ plan, settings }) => (isLimitedByCap(plan, settings) ? 'fixed' : 'settings'),
    remedy(_, { plan, settings, file }) {
      const seconds = Math.ceil(stockPerSale(plan) / writesPerSale(plan, settings))
      const raise = isLimitedByCap(plan, settings)
        ? 'Make it several sales (--sales)'
        : `Raise consumers.orders in ${file} and deploy`
      return `${raise}, or let it take ${formatAmount(seconds)} s: nothing is lost (--accept queue-rate).`
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
  flood: addressLimit('requests', requestsOfAddress, 'floodLimit'),
  'flood-of-calls': addressLimit('API calls', callsOfAddress, 'callLimit'),
  'flood-of-sign-ins': addressLimit('sign-in calls', anonymousCallsOfAddress, 'anonymousLimit'),
} satisfies Record<string, Limit>

export type LimitId = keyof typeof rows

const table: Record<LimitId, Limit> = rows
const isLimitId = (id: string): id is LimitId => id in rows
export const limitIds: readonly LimitId[] = Object.keys(rows).filter(isLimitId)

/** Returns the need of the sale for one limit, even if the limit does not apply to the stage. */
export const needOf = (id: LimitId, plan: SalePlan, settings: StageSettings): number =>
  table[id].need(demandOf(plan, settings))

export const formatAmount = (amount: number): string => amount.toLocaleString('en', { maximumFractionDigits: 1 })

/** `share` is need divided by limit. `advice` is absent while there is enough room. */
export type LimitFinding = ReturnType<typeof checkLimits>[number]

/** Above this share a limit is close: a forecast is never exact. */
const closeShare = 0.8

/**
 * Returns the limits that apply to the sale. `quotas` are those of the settings, unless those of the account were read.
 * `accepted` are limits that the operator allows to be short.
 */
export function checkLimits(
  plan: SalePlan,
  settings: StageSettings,
  quotas: Quotas,
  accepted: readonly LimitId[] = [],
) {
  const sale: Case = { ...demandOf(plan, settings), quotas, file: `infra/settings/${settings.name}.ts` }
  return limitIds
    .filter((id) => table[id].applies?.(sale) ?? true)
    .map((id) => {
      const { name, follows, owner, remedy, ...row } = table[id]
      const [need, limit] = [row.need(sale), row.limit(sale)]
      const share = limit === 0 ? (need === 0 ? 0 : Number.POSITIVE_INFINITY) : need / limit
      const state = share > 1 ? 'short' : follows === 'crowd' && share > closeShare ? 'close' : 'ok'
      const advice = state === 'ok' ? undefined : remedy(formatAmount(amountToRequest(need, follows)), sale)
      const isAccepted = accepted.includes(id)
      return { id, name: name(sale), owner: owner(sale), need, limit, share, state, isAccepted, advice } as const
    })
}

/** Returns the limits that are short and not accepted, which forbid the sale. */
export const blockingFindings = (findings: readonly LimitFinding[]): LimitFinding[] =>
  findings.filter(({ state, isAccepted }) => state === 'short' && !isAccepted)

/** Upper end of the search for the largest crowd. */
const searchLimit = 100_000_000

/** Returns the largest crowd for which no limit is short, or 0 when one always is, and the first limit that a larger crowd exceeds. */
export function findMaxCrowd(
  plan: SalePlan,
  settings: StageSettings,
  quotas: Quotas,
  accepted: readonly LimitId[] = [],
): { shoppers: number; breaksFirst: LimitId | undefined } {
  const obstacles = (shoppers: number) =>
    blockingFindings(checkLimits({ ...plan, shoppers }, settings, quotas, accepted))
  // No need falls as the crowd grows, so a binary search finds it.
  let [enough, tooMany] = [0, searchLimit]
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2)
    if (obstacles(middle).length === 0) enough = middle
    else tooMany = middle
  }
  return { shoppers: enough, breaksFirst: obstacles(tooMany)[0]?.id }
}

/** Rounds an amount to ask for up to two digits. For a crowd it has headroom: the need is four fifths of it. */
export function amountToRequest(need: number, follows: Cause): number {
  const roomy = follows === 'crowd' ? need / closeShare : need
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, roomy))) - 1)
  return Math.ceil(roomy / step) * step
}

/** A need that the longest spread lowers by less than a tenth is too high for another reason. */
const lowersTo = 0.9

/** Proposals are multiples of this, in seconds: finer ones would pretend that the crowd is known exactly. */
const spreadStep = 10

/**
 * Proposes a spread (core/gate/spread.ts), which decides how many clicks a second start the gate: the shortest with
 * which every limit that depends on it has room, or else the longest. 0 when the gate can take the whole crowd at once.
 */
export function proposeSpread(plan: SalePlan, settings: StageSettings, quotas: Quotas): number {
  const findingsAt = (spreadSeconds: number) => checkLimits({ ...plan, spreadSeconds }, settings, quotas)
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
