/** Everything of one sale that is billed by use. */
import { countedBy, recordedWhenIdle } from '../../infra/constructs/own-metrics.ts'
import { admissionsOf, runSeconds, tableWritesPerClaim, tableWritesPerOrder } from '../../infra/settings/arithmetic.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import type { FunctionName } from '../../system/functions.ts'
import { callsPerChange, changesOfSale, objectReads } from './edge-store.ts'
import { pageRequests } from './page-requests.ts'
import { arrivalSeconds, type Plan, passesOf, requestsOfShopper, rolesOf } from './plan.ts'
import {
  clickingSeconds,
  countingOfStock,
  gateCommandsPerSecond,
  gateInstances,
  gateReadsPerSecond,
  pollBytes,
  sellingCommands,
} from './rates.ts'

export type Volumes = {
  requests: number
  gigabytes: number
  viewerFunctionRuns: number
  edgeStoreReads: number
  edgeStoreCalls: number
  gateRuns: number
  gateGbSeconds: number
  functionRuns: number
  functionGbSeconds: number
  /** What `reconcile` uses while the sale is open. */
  openGbSeconds: number
  redisCommands: number
  queueCalls: number
  tableWrites: number
  tableReads: number
  /** Custom metrics that an idle stage does not record. */
  metrics: number
  logGigabytes: number
  /** Whether a firewall inspects every request. */
  isInspected: boolean
}

/**
 * Page, style, script and picture, compressed about 28 kB (under 40 kB, asserted in a real browser);
 * later loads have most of it.
 */
export const bytesPerLoad = 28_000

/** Log of one run of the gate. */
const logBytesPerRun = 500

/** Requests of a winner to the gate after the click: reads of the order, and the payment. */
const readsPerBuyer = pageRequests.orderReads + 1 + pageRequests.paymentReads

/** Those of them that are held: until the order is written, and until it is paid. */
const heldPerBuyer = 2

/** Objects of the order page, before and after the payment. */
const objectsPerBuyer = pageRequests.orderPage + 1

/** Send, receive and delete, of the order and of its deadline. */
const queueCallsPerUnit = 6

/** The entry that names the order of a coupon's code, in a transaction. */
const tableWritesPerCode = 2

/** Written after the order: its payment or cancellation, and its entry by time, which has the status. */
const tableWritesLater = 3

/**
 * Time in which a sale is open, seconds: `reconcile` ticks once a second until it ends, for as long as that is.
 */
const openSeconds = 3600

/** Redis commands of a tick for one sale; measured with the sales of `npm start`. */
const tickCommands = 8

const howMany = (table: Readonly<Record<string, readonly string[]>>) => Object.values(table).flat().length
/** Custom metrics that a sale adds to those of an idle stage. */
const metricsOfSale = howMany(countedBy) - howMany(recordedWhenIdle)

/**
 * Share of the losing clicks that start the gate in a sale with spread: those before the store of the
 * CloudFront Functions says that it is sold out. Twice what `npm run bench -- million` measures.
 */
export const gateShareOfLosing = 0.02

/**
 * Clicks that start the gate. Without spread a crowd clicks before the store says sold out: the first
 * click of every shopper counts.
 */
export function gateClicksOf(plan: Plan): number {
  const { shoppers, clicks, spreadSeconds } = plan
  const admitted = Math.min(shoppers, admissionsOf(plan))
  const losing = shoppers * clicks - admitted
  return admitted + (spreadSeconds === 0 ? shoppers - admitted : Math.ceil(losing * gateShareOfLosing))
}

/**
 * Each object of the sale, and each click, reads whether there is such a sale; one click, while units
 * are left, the keys of the passes as well.
 */
function storeReadsOfShopper({ pageLoads, clicks, isFlippedLate }: Plan): number {
  const { firstLoad, laterLoad, flip } = objectReads
  const loads = pageLoads === 0 ? 0 : firstLoad + (pageLoads - 1) * laterLoad
  return loads + (isFlippedLate ? flip : 0) + clicks + 1
}

/**
 * Redis commands of the gate: of its instances while shoppers click, and before the start at most one
 * read of the lists for each pass.
 */
function gateCommandsOf(plan: Plan): number {
  const instances = gateInstances(plan)
  const clicking = instances * gateCommandsPerSecond * clickingSeconds(plan)
  return clicking + Math.min(passesOf(plan), instances * gateReadsPerSecond * arrivalSeconds(plan))
}

export function volumesOf(plan: Plan, settings: StageSettings): Volumes {
  const { shoppers, stock, pageLoads, kind, sales } = plan
  const { seller, reader } = rolesOf(plan)
  const reads = stock * readsPerBuyer
  // A stage without a reservation holds nothing.
  const held = settings.functions['held-reads'].reserved === undefined ? 0 : stock * heldPerBuyer
  const passes = passesOf(plan)
  const gateRuns = gateClicksOf(plan) + passes + reads
  const { shopper, winner } = pageRequests.preflights
  const preflights = plan.elementShare * (shoppers * shopper + stock * winner)
  const ofPages = shoppers * requestsOfShopper(plan) + passes + reads + stock * objectsPerBuyer
  const requests = ofPages + preflights
  const admitted = admissionsOf(plan)
  const gb = (name: FunctionName) => settings.functions[name].memoryMb / 1024
  const writes = {
    goods: tableWritesPerOrder + tableWritesLater,
    coupon: tableWritesPerOrder + tableWritesLater + tableWritesPerCode,
    'red-packet': tableWritesPerClaim,
  }[kind]
  return {
    requests,
    gigabytes: (shoppers * pageLoads * bytesPerLoad + requests * pollBytes) / 1e9,
    // Every request runs one: the pre-gate, the path function, or the clock of the pointer.
    viewerFunctionRuns: requests,
    edgeStoreReads: shoppers * storeReadsOfShopper(plan),
    edgeStoreCalls: sales * changesOfSale * callsPerChange,
    gateRuns,
    gateGbSeconds: gateRuns * plan.edgeRunSeconds * (settings.edge.memoryMb / 1024),
    functionRuns: admitted + reads,
    functionGbSeconds:
      admitted * runSeconds.warm * gb(seller) +
      reads * runSeconds.read * gb(reader) +
      held * runSeconds.held * gb('held-reads'),
    openGbSeconds: openSeconds * gb('reconcile'),
    redisCommands:
      sellingCommands(plan) + gateCommandsOf(plan) + countingOfStock(plan) + sales * openSeconds * tickCommands,
    queueCalls: stock * queueCallsPerUnit,
    tableWrites: stock * writes,
    tableReads: reads,
    metrics: metricsOfSale,
    logGigabytes: (gateRuns * logBytesPerRun) / 1e9,
    isInspected: settings.firewall !== undefined,
  }
}
