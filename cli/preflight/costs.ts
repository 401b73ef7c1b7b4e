/**
 * Estimates the costs of a sale and of a month without one at list prices, item by item. The sign-in of a sale is
 * separate.
 */
import { eachOf } from '../../core/lib/fold.ts'
import { countedBy, recordedWhenIdle } from '../../infra/constructs/own-metrics.ts'
import { secretsOfStage } from '../../infra/constructs/secrets.ts'
import {
  cognitoLite,
  freeDatabases,
  freePerMonth,
  hoursPerMonth,
  type Prices,
  redisPrices,
} from '../../infra/prices.ts'
import { admissionsOf, concurrencyFor, runSeconds, tableWritesPerOrder } from '../../infra/settings/arithmetic.ts'
import { functionsOfStage, optionsOfStage, type StageParts, type StageSettings } from '../../infra/settings/stage.ts'
import { functions as functionsOfOptions } from '../../options/registry/functions.ts'
import {
  allFunctions,
  type FunctionName,
  reconcileRate,
  reservationKeysRate,
  scheduledFunctions,
} from '../../system/functions.ts'
import { mailConsumption } from '../../system/mail.ts'
import { queueNames, wakingQueueNames } from '../../system/queues.ts'
import type { StepCost } from '../../system/seams.ts'
import {
  countsPerSecond,
  gateCommandsPerSecond,
  gateInstances,
  gateReadsPerSecond,
  hasFixedPlan,
  hasOwnGateDatabase,
  sellingCommands,
  sellingRate,
} from './load.ts'
import {
  arrivalSeconds,
  edgeRunSeconds,
  newShoppersOf,
  pageRequests,
  passesOf,
  readerOf,
  requestsOfShopper,
  requestsPerSignIn,
  type SalePlan,
  sellSeconds,
} from './plan.ts'

/**
 * Reads of the key-value store by CloudFront Functions for the page and the countdown of a sale; a later load has the
 * countdown, and the pointer needs no read. Tests count these and the calls below.
 */
export const objectReads = { firstLoad: 2, laterLoad: 1, flip: 1 } as const

/**
 * Calls of its API for a change: one publisher reads the state of the store and the entry, and writes. The other,
 * `control` or `reconcile`, reads both and finds them published. New pass keys are read and written once.
 */
export const callsPerChange = 3 + 2
export const callsPerPassKeys = 3

/**
 * A generous number of changes of the entry of a sale: created, warmed, started, ended, archived, edits and pauses; sold
 * out, again after units came back, and every five minutes while it lasts.
 */
export const changesPerSale = 30

const costsOfOptions: readonly StepCost[] = eachOf(functionsOfOptions, 'cost')
const alarmedOfOptions: readonly ((settings: Pick<StageSettings, 'size'> & StageParts) => number)[] = eachOf(
  functionsOfOptions,
  'alarmedMetrics',
)

/** US dollars at list prices. `free` is the part that the free tier of a month covers, if nothing else uses it. */
export type Charge = { item: string; dollars: number; free: number }

/** Returns the charge for `amount` units at `price` each; `freeUnits` of them are free in a month. */
const charge = (item: string, price: number, amount: number, freeUnits = 0): Charge => ({
  item,
  dollars: price * amount,
  free: price * Math.min(amount, freeUnits),
})

export function sumCharges(charges: readonly Charge[], item?: string): Omit<Charge, 'item'> {
  const selected = item === undefined ? charges : charges.filter((one) => one.item === item)
  const sum = (of: 'dollars' | 'free') => selected.reduce((total, one) => total + one[of], 0)
  return { dollars: sum('dollars'), free: sum('free') }
}

/** Bytes of a compressed page load (under 40 kB, asserted in a real browser), of any other answer, and of the logs of a run. */
const [bytesPerLoad, answerBytes, logBytesOfGate, logBytesOfRun] = [28_000, 1000, 500, 1500]
/** Requests of a buyer to the gate after the click; two are long polls, until the order is written and until it is paid. */
const readsPerBuyer = pageRequests.orderReads + 1 + pageRequests.paymentReads
const heldPerBuyer = 2
/** Objects of the order page, before and after the payment. */
const objectsPerBuyer = pageRequests.orderPage + 1
/** Send, receive and delete, of the order and of its deadline. */
const queueCallsPerUnit = 6
/**
 * Writes for the payment or cancellation of an order and its entry by time, and for the entry that maps a code to its
 * order, in a transaction. A red packet has none of them.
 */
const [tableWritesLater, tableWritesPerCode] = [3, 2]
/** `reconcile` ticks once a second while a sale is open, with this many Redis commands (measured with `npm start`). */
const [openSeconds, tickCommands] = [3600, 8]
/** Counts the custom metrics that a sale adds to those of an idle stage. */
function metricsOfSale(settings: StageParts): number {
  const present = new Set(functionsOfStage(settings))
  const recorded = Object.values(countedBy)
    .flat()
    .filter((name) => present.has(name))
  return recorded.length - Object.values(recordedWhenIdle).flat().length
}

/**
 * Share of the losing clicks that start the gate in a sale with spread: those before the key-value store says sold out.
 * It is twice the value that `npm run bench -- million` measures.
 */
const gateShareOfLosing = 0.02

/** Counts the clicks that start the gate. Without spread all do, because they come before the store says sold out. */
function gateClicksOf({ shoppers, stock, spreadSeconds }: SalePlan): number {
  const admitted = Math.min(shoppers, admissionsOf({ stock }))
  return admitted + Math.ceil((shoppers - admitted) * (spreadSeconds === 0 ? 1 : gateShareOfLosing))
}

/**
 * Counts Redis commands: to sell the stock, to count the outcomes, of the gate's instances while shoppers click, at most
 * one read of the lists for each pass before it, and of `reconcile`.
 */
function redisCommandsOf(plan: SalePlan): number {
  const instances = gateInstances(plan)
  return (
    sellingCommands(plan) +
    countsPerSecond * concurrencyFor(sellingRate(plan), runSeconds.warm) * sellSeconds +
    instances * gateCommandsPerSecond * Math.max(plan.openingSeconds, plan.spreadSeconds) +
    Math.min(passesOf(plan), instances * gateReadsPerSecond * arrivalSeconds(plan)) +
    plan.sales * openSeconds * tickCommands
  )
}

/** Returns the amounts of a sale that are billed by use. */
export function saleVolumes(plan: SalePlan, settings: StageSettings) {
  const { shoppers, stock, kind } = plan
  const gb = (name: FunctionName) => settings.functions[name].memoryMb / 1024
  const reads = stock * readsPerBuyer
  // A stage without a reservation holds no request.
  const held = settings.functions['held-reads'].reserved === undefined ? 0 : stock * heldPerBuyer
  const passes = passesOf(plan)
  const gateRuns = gateClicksOf(plan) + passes + reads
  const requests = shoppers * requestsOfShopper(plan) + passes + reads + stock * objectsPerBuyer
  const admitted = admissionsOf(plan)
  const writesLater = { goods: tableWritesLater, coupon: tableWritesLater + tableWritesPerCode, 'red-packet': 0 }[kind]
  return {
    requests,
    gigabytes: (shoppers * bytesPerLoad + requests * answerBytes) / 1e9,
    // Each object of the sale and each click reads whether the sale exists; the click also reads the pass keys.
    edgeStoreReads: shoppers * (objectReads.firstLoad + 2),
    edgeStoreCalls: plan.sales * changesPerSale * callsPerChange,
    gateRuns,
    gateGbSeconds: gateRuns * edgeRunSeconds * (settings.edge.memoryMb / 1024),
    functionRuns: admitted + reads,
    functionGbSeconds:
      admitted * runSeconds.warm * gb('reserve') +
      reads * runSeconds.read * gb(readerOf(plan)) +
      held * runSeconds.held * gb('held-reads') +
      openSeconds * gb('reconcile'),
    redisCommands: redisCommandsOf(plan),
    queueCalls: stock * queueCallsPerUnit,
    tableWrites: stock * (tableWritesPerOrder + writesLater),
    tableReads: reads,
  }
}

/** Returns the price of a request that the gate answers: CloudFront, its function, the gate for `seconds`, and the firewall. */
const gateRequestPrice = (
  { edge, firewall }: Pick<StageSettings, 'edge' | 'firewall'>,
  { cdn, gate, firewall: inspected }: Prices,
  seconds = edgeRunSeconds,
): number =>
  cdn.request +
  cdn.viewerFunctionRun +
  gate.run +
  seconds * (edge.memoryMb / 1024) * gate.gbSecond +
  (firewall === undefined ? 0 : inspected.request)

/** Time that the gate waits for Turnstile's siteverify; assumed until it is measured. */
export const siteverifySeconds = 0.2

/** Each shopper requests a challenge. With Turnstile, a second request sends its token. */
function checkCharge({ shoppers, challenge }: SalePlan, settings: StageSettings, prices: Prices): Charge {
  const asking = gateRequestPrice(settings, prices)
  const sending = gateRequestPrice(settings, prices, edgeRunSeconds + siteverifySeconds)
  const each = { off: 0, pow: asking, turnstile: asking + sending }[challenge]
  return charge('Security checks', each, shoppers)
}

/** Messages about a unit. Goods: reserved, paid and shipped. Others are complete at once. */
const messagesPerUnit = { goods: 3, coupon: 1, 'red-packet': 1 } as const
/** One for the lease of an email, and one to record that it was sent. */
const tableWritesPerMail = 2

/** Counts the emails of the sale; 0 in a stage that sends none. */
export const saleMails = (
  { kind, stock }: Pick<SalePlan, 'kind' | 'stock'>,
  { mail }: Pick<StageSettings, 'mail'>,
): number => (mail === undefined ? 0 : stock * messagesPerUnit[kind])

/** Returns the number of codes that SES sends to new shoppers. Without a sender Cognito sends them itself, 50 a day, at no cost. */
export const signUpCodes = (
  plan: Pick<SalePlan, 'shoppers' | 'newShare'>,
  { signIn }: Pick<StageSettings, 'signIn'>,
): number => (signIn.kind === 'cognito' && signIn.email !== undefined ? newShoppersOf(plan) : 0)

function messageCharges(plan: SalePlan, settings: StageSettings, prices: Prices): Charge[] {
  const { functions, mail, table } = prices
  const run = runSeconds.read * (settings.functions.mail.memoryMb / 1024) * functions.gbSecond
  const sent = mail.message + tableWritesPerMail * table.write + functions.run / mailConsumption.batchSize + run
  const steps = plan.stock * messagesPerUnit[plan.kind]
  return [
    charge('Emails', sent, saleMails(plan, settings)),
    ...costsOfOptions.map(({ item, each }) =>
      charge(item, each(settings, { ...prices, runSeconds: runSeconds.read }), steps),
    ),
  ]
}

/** Returns the charge for the provisioned environments of all functions, idle or not. */
export function provisionedCharge(
  { functions }: Pick<StageSettings, 'functions'>,
  hours: number,
  prices: Prices,
): Charge {
  const gb = allFunctions.reduce((sum, name) => {
    const { memoryMb, provisioned = 0 } = functions[name]
    return sum + (provisioned * memoryMb) / 1024
  }, 0)
  return charge('Provisioned environments', prices.functions.provisionedGbSecond, gb * 3600 * hours)
}

/** Returns the charges of one sale that is open for an hour. A stage that does not keep its environments provisions them for an hour. */
export function saleCost(plan: SalePlan, settings: StageSettings, prices: Prices): Charge[] {
  const { cdn, edgeStore, gate, functions, queue, table, firewall, watching } = prices
  const free = freePerMonth
  const v = saleVolumes(plan, settings)
  return [
    charge('CloudFront requests', cdn.request, v.requests, free.cdnRequests),
    charge('CloudFront data', cdn.gigabyte, v.gigabytes, free.cdnGigabytes),
    // Every request runs one: the pre-gate, the path function, or the clock of the pointer.
    charge('CloudFront Functions', cdn.viewerFunctionRun, v.requests, free.viewerFunctionRuns),
    charge('CloudFront key-value store', edgeStore.read, v.edgeStoreReads, free.edgeStoreReads),
    charge('CloudFront key-value store', edgeStore.call, v.edgeStoreCalls),
    charge('Firewall', settings.firewall === undefined ? 0 : firewall.request, v.requests),
    charge('Lambda@Edge', gate.run, v.gateRuns),
    charge('Lambda@Edge', gate.gbSecond, v.gateGbSeconds),
    charge('Lambda', functions.run, v.functionRuns, free.functionRuns),
    charge('Lambda', functions.gbSecond, v.functionGbSeconds, free.functionGbSeconds),
    ...(settings.keepProvisioned ? [] : [provisionedCharge(settings, 1, prices)]),
    charge('DynamoDB', table.write, v.tableWrites),
    charge('DynamoDB', table.read, v.tableReads),
    charge('SQS', queue.call, v.queueCalls, free.queueCalls),
    charge('Redis at Upstash', hasFixedPlan(settings) ? 0 : redisPrices.command, v.redisCommands),
    checkCharge(plan, settings, prices),
    ...messageCharges(plan, settings, prices),
    charge('CloudWatch', watching.metricMonth / hoursPerMonth, metricsOfSale(settings)),
    charge('CloudWatch', watching.logGigabyte, logGigabytes(v), free.logGigabytes),
  ]
}

const logGigabytes = ({ gateRuns, functionRuns }: { gateRuns: number; functionRuns: number }): number =>
  (gateRuns * logBytesOfGate + functionRuns * logBytesOfRun) / 1e9

/** A flood that the firewall blocks, and the bytes of its log for a request with all headers. Both are assumed. */
const [floodRequests, recordBytes] = [10_000_000, 2000]

/**
 * Returns the price of the firewall and its log for a flood. CloudFront bills no blocked request
 * (https://aws.amazon.com/about-aws/whats-new/2024/11/amazon-cloudfront-charges-requests-blocked-aws-waf/).
 */
export const floodCost = ({ firewall: { request, logGigabyte } }: Pick<Prices, 'firewall'>) => ({
  requests: floodRequests,
  blocking: floodRequests * request,
  log: ((floodRequests * recordBytes) / 1e9) * logGigabyte,
})

/** Returns the price of Cognito's plan Lite for a month in which `users` sign in. */
export function cognitoMonthlyCost(users: number): number {
  let [from, dollars] = [0, 0]
  for (const { upTo, each } of cognitoLite) {
    dollars += Math.max(0, Math.min(users, upTo) - from) * each
    from = upTo
  }
  return dollars
}

/** Returns what the sign-ins of all shoppers cost at AWS without the issuer: the requests at the gate, and the function. */
export function signInCost({ shoppers }: Pick<SalePlan, 'shoppers'>, settings: StageSettings, prices: Prices): number {
  const gbSeconds = runSeconds.slow * (settings.functions['sign-in'].memoryMb / 1024)
  const inFunction = prices.functions.run + gbSeconds * prices.functions.gbSecond
  return shoppers * requestsPerSignIn * (gateRequestPrice(settings, prices) + inFunction)
}

/** Resources that every stage has independently of its settings. A test compares them with the templates; the size of the table is assumed. */
export const fixtures = {
  keys: 3,
  firewallRules: 9,
  alarmedMetrics: { small: 44, full: 103 },
  firewallAlarms: { small: 1, full: 2 },
  mailAlarms: 3,
  dashboards: { small: 0, full: 2 },
  /**
   * Metrics that CloudFront records for each distribution at a price
   * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/viewing-cloudfront-metrics.html).
   */
  distributionMetrics: { small: 0, full: 8 },
  tableGb: 1,
} as const

/** Counts the metrics that alarms read, by which AWS bills an alarm. */
export const alarmedMetricsOf = (settings: Pick<StageSettings, 'size' | 'firewall'> & StageParts): number =>
  fixtures.alarmedMetrics[settings.size] +
  (settings.firewall === undefined ? 0 : fixtures.firewallAlarms[settings.size]) +
  (settings.mail === undefined ? 0 : fixtures.mailAlarms) +
  alarmedOfOptions.reduce((sum, metricsOf) => sum + metricsOf(settings), 0)

/** Counts the databases of the stocks, and the gate's if it has its own. */
export const totalDatabases = (plan: Pick<SalePlan, 'databases'>, settings: StageSettings): number =>
  plan.databases + (hasOwnGateDatabase(plan, settings) ? 1 : 0)

/** Commands a second of a database in the plan of 250 MB; more needs the plan of 100 GB. */
const commandsOfSmallPlan = 10_000

/** Returns the monthly charge of the databases at Upstash, without commands. */
export function redisMonthlyCharge(settings: StageSettings, databases: number, commandsPerSecond: number): Charge {
  const { databaseMonth, fixedMonth, largeMonth, prodPackMonth } = redisPrices
  if (!hasFixedPlan(settings)) return charge('Redis at Upstash', databaseMonth, Math.max(0, databases - freeDatabases))
  const each = (commandsPerSecond > commandsOfSmallPlan ? largeMonth : fixedMonth) + prodPackMonth
  return charge('Redis at Upstash', each, databases)
}

/**
 * A run of `reconcile` without a running sale ends at once; a second is more than it takes. A test counts its commands
 * and its reads of the table.
 */
export const idleRun = { seconds: 1, redisCommands: 6, tableReads: 13 } as const

/** A run of the canary, each time that `reconcile` runs, takes about half a second and sends three requests, of which one starts the gate. */
const [canarySeconds, canaryRequests] = [0.5, 3]

const keysRun = { name: 'order-changes', ...reservationKeysRate, seconds: runSeconds.read, tableReads: 0 } as const

/** Returns every schedule of the stage with the cost of an idle run. A test compares them with the templates. */
export const stageSchedules = ({ checkout }: Pick<StageSettings, 'checkout'>) =>
  [
    { name: 'reconcile', ...reconcileRate, ...idleRun },
    { name: 'canary', ...reconcileRate, seconds: canarySeconds, tableReads: 0 },
    ...scheduledFunctions.map(([name, { rate, idle }]) => ({ name, ...rate, ...idle })),
    ...(checkout === undefined ? [] : [keysRun]),
  ] as const

/**
 * Lambda reads an idle queue with five connections, each of which asks every 20 s
 * (as observed in https://github.com/getlift/lift/issues/132; AWS does not document the interval).
 */
const pollsPerQueue = ((5 * 3600) / 20) * hoursPerMonth

/** Counts the queues, with the one that wakes `reconcile` and those of options. */
export const countPolledQueues = (settings: StageParts): number =>
  queueNames.length + 1 + optionsOfStage(settings).filter((name) => wakingQueueNames.some((one) => one === name)).length

/** Returns the charges of a month without a sale; `redis` is the charge of its databases. */
export function idleMonthCost(settings: StageSettings, redis: Charge, prices: Prices): Charge[] {
  const { cdn, edgeStore, firewall, functions, gate, keeping, queue, schedule, table, watching } = prices
  const free = freePerMonth
  const { keys, firewallRules, tableGb } = fixtures
  const perMonth = (everyMinutes: number) => (hoursPerMonth * 60) / everyMinutes
  const schedules = stageSchedules(settings).map((one) => ({ ...one, runs: perMonth(one.everyMinutes) }))
  const totalOf = (of: (one: (typeof schedules)[number]) => number) =>
    schedules.reduce((sum, one) => sum + one.runs * of(one), 0)
  const functionRuns = totalOf(() => 1)
  const tableReads = totalOf((one) => one.tableReads)
  const gbSeconds = totalOf(({ name, seconds }) => (seconds * settings.functions[name].memoryMb) / 1024)
  const gateRuns = perMonth(reconcileRate.everyMinutes)
  const metrics = Object.values(recordedWhenIdle).flat().length + fixtures.distributionMetrics[settings.size]
  return [
    charge('CloudFront requests', cdn.request, gateRuns * canaryRequests, free.cdnRequests),
    charge('CloudFront Functions', cdn.viewerFunctionRun, gateRuns * canaryRequests, free.viewerFunctionRuns),
    // The keys of passes are renewed once a day.
    charge('CloudFront key-value store', edgeStore.call, (hoursPerMonth / 24) * callsPerPassKeys),
    ...(settings.firewall === undefined
      ? []
      : [
          charge('Firewall', 1, firewall.aclMonth + firewallRules * firewall.ruleMonth),
          charge('Firewall', firewall.request, gateRuns * canaryRequests),
        ]),
    charge('Lambda@Edge', gate.run, gateRuns),
    charge('Lambda@Edge', gate.gbSecond, gateRuns * edgeRunSeconds * (settings.edge.memoryMb / 1024)),
    charge('Lambda', functions.run, functionRuns, free.functionRuns),
    charge('Lambda', functions.gbSecond, gbSeconds, free.functionGbSeconds),
    charge('Schedules', schedule.run, functionRuns, free.scheduledRuns),
    ...(settings.keepProvisioned ? [provisionedCharge(settings, hoursPerMonth, prices)] : []),
    charge('DynamoDB', table.read, tableReads),
    charge('DynamoDB', table.storedGbMonth, tableGb, free.tableGb),
    charge('DynamoDB', table.backupGbMonth, tableGb),
    charge('SQS', queue.call, countPolledQueues(settings) * pollsPerQueue, free.queueCalls),
    redis,
    charge('Redis at Upstash', hasFixedPlan(settings) ? 0 : redisPrices.command, gateRuns * idleRun.redisCommands),
    charge('CloudWatch', watching.alarmMonth, alarmedMetricsOf(settings), free.alarms),
    charge('CloudWatch', watching.dashboardMonth, fixtures.dashboards[settings.size]),
    charge('CloudWatch', watching.metricMonth, metrics, free.metrics),
    charge('CloudWatch', watching.logGigabyte, logGigabytes({ gateRuns, functionRuns }), free.logGigabytes),
    charge('Secrets and keys', keeping.secretMonth, secretsOfStage(settings).length),
    charge('Secrets and keys', keeping.keyMonth, keys),
  ]
}
