/** What one sale costs at list prices, item by item, and its sign-in, which is no part of that bill. */
import { countedBy, recordedWhenIdle } from '../../infra/constructs/own-metrics.ts'
import { cognitoLite, freePerMonth, hoursPerMonth, type Prices, redisPrices } from '../../infra/prices.ts'
import {
  admissionsOf,
  concurrencyFor,
  runSeconds,
  tableWritesPerClaim,
  tableWritesPerOrder,
} from '../../infra/settings/arithmetic.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import type { FunctionName } from '../../system/functions.ts'
import { mailConsumption } from '../../system/mail.ts'
import { callsPerChange, changesOfSale, objectReads } from './edge-store.ts'
import {
  countsPerSecond,
  gateCommandsPerSecond,
  gateInstances,
  gateReadsPerSecond,
  requestsPerSignIn,
  sellingCommands,
  sellingRate,
} from './load.ts'
import { pageRequests } from './page-requests.ts'
import { arrivalSeconds, edgeRunSeconds, type Plan, passesOf, requestsOfShopper, rolesOf, sellSeconds } from './plan.ts'

/** The rows of a bill, in their order. */
export const items = [
  'CloudFront requests',
  'CloudFront data',
  'CloudFront Functions',
  'CloudFront key-value store',
  'Firewall',
  'Lambda@Edge',
  'Lambda',
  'Provisioned environments',
  'DynamoDB',
  'SQS',
  'Redis at Upstash',
  'Security checks',
  'E-mails',
  'Events',
  'CloudWatch',
  'Secrets and keys',
] as const
export type Item = (typeof items)[number]

/** US dollars at list prices. `free` is the part that the free tier of a month covers, if nothing else uses it. */
export type Charge = { item: Item; dollars: number; free: number }

/** The price of `amount` units, of which a month has some free. */
export const charge = (item: Item, price: number, amount: number, freeUnits = 0): Charge => ({
  item,
  dollars: price * amount,
  free: price * Math.min(amount, freeUnits),
})

/** The sum of the charges, of one item or of all. */
export function sumOf(charges: readonly Charge[], item?: Item): Omit<Charge, 'item'> {
  const some = item === undefined ? charges : charges.filter((one) => one.item === item)
  const sum = (of: 'dollars' | 'free') => some.reduce((total, one) => total + one[of], 0)
  return { dollars: sum('dollars'), free: sum('free') }
}

/** Pay as you go, or the fixed plan of 250 MB with the Prod Pack: copies in several zones, an SLA. */
export type RedisPlan = 'payg' | 'fixed'

/** The fixed plan for a large sale, otherwise the cheapest. */
export const redisPlanOf = ({ isProduction, size }: Pick<StageSettings, 'isProduction' | 'size'>): RedisPlan =>
  isProduction && size === 'full' ? 'fixed' : 'payg'

/** A compressed page load (under 40 kB, asserted in a real browser), any other answer, and the log of a run of the gate. */
const [bytesPerLoad, answerBytes, logBytesPerRun] = [28_000, 1000, 500]
/** Requests of a winner to the gate after the click; two are held, until the order is written and until it is paid. */
const readsPerBuyer = pageRequests.orderReads + 1 + pageRequests.paymentReads
const heldPerBuyer = 2
/** Objects of the order page, before and after the payment. */
const objectsPerBuyer = pageRequests.orderPage + 1
/** Send, receive and delete, of the order and of its deadline. */
const queueCallsPerUnit = 6
/** Its payment or cancellation, and its entry by time; then the entry that names the order of a code, in a transaction. */
const [tableWritesLater, tableWritesPerCode] = [3, 2]
/** `reconcile` ticks once a second while a sale is open, with so many Redis commands (measured with `npm start`). */
const [openSeconds, tickCommands] = [3600, 8]
const howMany = (table: Readonly<Record<string, readonly string[]>>) => Object.values(table).flat().length
/** Custom metrics that a sale adds to those of an idle stage. */
const metricsOfSale = howMany(countedBy) - howMany(recordedWhenIdle)

/**
 * Share of the losing clicks that start the gate in a sale with spread: those before the store of the CloudFront
 * Functions says that it is sold out. Twice what `npm run bench -- million` measures.
 */
const gateShareOfLosing = 0.02

/** Clicks that start the gate. Without spread a crowd clicks before the store says sold out: all of them count. */
function gateClicksOf({ shoppers, stock, spreadSeconds }: Plan): number {
  const admitted = Math.min(shoppers, admissionsOf({ stock }))
  return admitted + Math.ceil((shoppers - admitted) * (spreadSeconds === 0 ? 1 : gateShareOfLosing))
}

/**
 * Redis commands: to sell the stock, to count what it decided, of the gate's instances while shoppers click and at most
 * one read of the lists for each pass before it, and of `reconcile`.
 */
function redisCommandsOf(plan: Plan): number {
  const instances = gateInstances(plan)
  return (
    sellingCommands(plan) +
    countsPerSecond * concurrencyFor(sellingRate(plan), runSeconds.warm) * sellSeconds +
    instances * gateCommandsPerSecond * Math.max(plan.openingSeconds, plan.spreadSeconds) +
    Math.min(passesOf(plan), instances * gateReadsPerSecond * arrivalSeconds(plan)) +
    plan.sales * openSeconds * tickCommands
  )
}

/** What of a sale is billed by use, in units. */
export function volumesOf(plan: Plan, settings: StageSettings) {
  const { shoppers, stock, kind } = plan
  const { seller, reader } = rolesOf(plan)
  const gb = (name: FunctionName) => settings.functions[name].memoryMb / 1024
  const reads = stock * readsPerBuyer
  // A stage without a reservation holds nothing.
  const held = settings.functions['held-reads'].reserved === undefined ? 0 : stock * heldPerBuyer
  const passes = passesOf(plan)
  const gateRuns = gateClicksOf(plan) + passes + reads
  const requests = shoppers * requestsOfShopper(plan) + passes + reads + stock * objectsPerBuyer
  const admitted = admissionsOf(plan)
  const ofGoods = tableWritesPerOrder + tableWritesLater
  const writes = { goods: ofGoods, coupon: ofGoods + tableWritesPerCode, 'red-packet': tableWritesPerClaim }[kind]
  return {
    requests,
    gigabytes: (shoppers * bytesPerLoad + requests * answerBytes) / 1e9,
    // Each object of the sale and each click reads whether there is such a sale; the click the keys of passes as well.
    edgeStoreReads: shoppers * (objectReads.firstLoad + 2),
    edgeStoreCalls: plan.sales * changesOfSale * callsPerChange,
    gateRuns,
    gateGbSeconds: gateRuns * edgeRunSeconds * (settings.edge.memoryMb / 1024),
    functionRuns: admitted + reads,
    functionGbSeconds:
      admitted * runSeconds.warm * gb(seller) +
      reads * runSeconds.read * gb(reader) +
      held * runSeconds.held * gb('held-reads') +
      openSeconds * gb('reconcile'),
    redisCommands: redisCommandsOf(plan),
    queueCalls: stock * queueCallsPerUnit,
    tableWrites: stock * writes,
    tableReads: reads,
  }
}

/** A request that the gate answers: CloudFront, its function, the gate for `seconds`, and the firewall. */
const requestAtGate = (
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

/** Each shopper asks for a challenge, and sends Turnstile's token in a second request. */
function checkCharge({ shoppers, challenge }: Plan, settings: StageSettings, prices: Prices): Charge {
  const asking = requestAtGate(settings, prices)
  const sending = requestAtGate(settings, prices, edgeRunSeconds + siteverifySeconds)
  const each = { off: 0, pow: asking, turnstile: asking + sending }[challenge]
  return charge('Security checks', each, shoppers)
}

/** Goods: to be paid, confirmed and shipped; reserved, paid and shipped. Others are complete at once. */
const messagesPerUnit = { goods: 3, coupon: 1, 'red-packet': 1 } as const
/**
 * The lease of an e-mail, and the mark that it was sent. An event that waits is written and listed; the answer changes
 * both in a transaction with the record of the event.
 */
const [tableWritesPerMail, tableWritesPerEvent] = [2, 7]

/** E-mails of the sale; 0 in a stage that sends none. */
export const mailsOf = (
  { kind, stock }: Pick<Plan, 'kind' | 'stock'>,
  { mail }: Pick<StageSettings, 'mail'>,
): number => (mail === undefined ? 0 : stock * messagesPerUnit[kind])

/** Events: for one endpoint, as the settings do not say how many there are, and for the bus of a stage that has one. */
function messageCharges(plan: Plan, settings: StageSettings, prices: Prices): Charge[] {
  const { eventBus, functions, mail, table } = prices
  const runOf = (name: 'mail' | 'events') =>
    runSeconds.read * (settings.functions[name].memoryMb / 1024) * functions.gbSecond
  const sent =
    mail.message + tableWritesPerMail * table.write + functions.run / mailConsumption.batchSize + runOf('mail')
  const delivered = tableWritesPerEvent * table.write + runOf('events')
  const onBus = settings.eventBus === true ? delivered + eventBus.event : 0
  const events = settings.sendsEvents === true ? plan.stock * messagesPerUnit[plan.kind] : 0
  return [charge('E-mails', sent, mailsOf(plan, settings)), charge('Events', delivered + onBus, events)]
}

/** Provisioned environments of these functions, idle or not. */
export function provisionedCharge(
  { functions }: Pick<StageSettings, 'functions'>,
  names: readonly FunctionName[],
  hours: number,
  prices: Prices,
): Charge {
  const gb = names.reduce((sum, name) => {
    const { memoryMb, provisioned = 0 } = functions[name]
    return sum + (provisioned * memoryMb) / 1024
  }, 0)
  return charge('Provisioned environments', prices.functions.provisionedGbSecond, gb * 3600 * hours)
}

/** One sale, open for an hour, with its seller provisioned for an hour in a stage that does not keep it so. */
export function saleCost(plan: Plan, settings: StageSettings, prices: Prices): Charge[] {
  const { cdn, edgeStore, gate, functions, queue, table, firewall, watching } = prices
  const free = freePerMonth
  const v = volumesOf(plan, settings)
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
    ...(settings.keepProvisioned ? [] : [provisionedCharge(settings, [rolesOf(plan).seller], 1, prices)]),
    charge('DynamoDB', table.write, v.tableWrites),
    charge('DynamoDB', table.read, v.tableReads),
    charge('SQS', queue.call, v.queueCalls, free.queueCalls),
    charge('Redis at Upstash', redisPlanOf(settings) === 'payg' ? redisPrices.command : 0, v.redisCommands),
    checkCharge(plan, settings, prices),
    ...messageCharges(plan, settings, prices),
    charge('CloudWatch', watching.metricMonth / hoursPerMonth, metricsOfSale),
    charge('CloudWatch', watching.logGigabyte, (v.gateRuns * logBytesPerRun) / 1e9, free.logGigabytes),
  ]
}

/** What Cognito's plan Lite bills for a month in which `users` sign in. */
export function cognitoMonth(users: number): number {
  let [from, dollars] = [0, 0]
  for (const { upTo, each } of cognitoLite) {
    dollars += Math.max(0, Math.min(users, upTo) - from) * each
    from = upTo
  }
  return dollars
}

/** What the sign-ins of all shoppers cost at AWS beside the issuer: their requests at the gate, and the function. */
export function signInCost({ shoppers }: Pick<Plan, 'shoppers'>, settings: StageSettings, prices: Prices): number {
  const gbSeconds = runSeconds.slow * (settings.functions['sign-in'].memoryMb / 1024)
  const inFunction = prices.functions.run + gbSeconds * prices.functions.gbSecond
  return shoppers * requestsPerSignIn * (requestAtGate(settings, prices) + inFunction)
}
