/** Everything of one sale that is billed by use. */
import {
  admissionsOf,
  runSeconds,
  tableWritesPerClaim,
  tableWritesPerOrder,
} from '../../infra/settings/arithmetic.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import type { FunctionName } from '../../system/functions.ts'
import { pageRequests } from './page-requests.ts'
import { type Plan, requestsOfShopper, rolesOf } from './plan.ts'
import { gateCommandsPerSecond, gateInstances, pollBytes, sellingCommands } from './rates.ts'

export type Volumes = {
  requests: number
  gigabytes: number
  viewerFunctionRuns: number
  gateRuns: number
  gateGbSeconds: number
  functionRuns: number
  functionGbSeconds: number
  redisCommands: number
  queueCalls: number
  tableWrites: number
  logGigabytes: number
  /** Whether a firewall inspects every request. */
  isInspected: boolean
}

/**
 * Page, style, script and picture, compressed about 28 kB (under 40 kB, asserted in a real browser);
 * later loads have most of it.
 */
const bytesPerLoad = 28_000

/** Log of one run of the gate. */
const logBytesPerRun = 500

/** Requests of a winner to the gate after the click: reads of the order, and the payment. */
const readsPerBuyer = pageRequests.orderReads + 1 + pageRequests.paymentReads

/** Objects of the order page, before and after the payment. */
const objectsPerBuyer = pageRequests.orderPage + 1

/** Send, receive and delete, of the order and of its deadline. */
const queueCallsPerUnit = 6

/** Written after the order: its payment or cancellation, and its entry in the list. */
const tableWritesLater = 2

export function volumesOf(plan: Plan, settings: StageSettings): Volumes {
  const { shoppers, stock, clicks, pageLoads, kind } = plan
  const { seller, reader } = rolesOf(plan)
  const reads = stock * readsPerBuyer
  const gateRuns = shoppers * clicks + reads
  const requests = shoppers * requestsOfShopper(plan) + reads + stock * objectsPerBuyer
  const admitted = admissionsOf(plan)
  const gb = (name: FunctionName) => settings.functions[name].memoryMb / 1024
  const writes = kind === 'red-packet' ? tableWritesPerClaim : tableWritesPerOrder + tableWritesLater
  return {
    requests,
    gigabytes: (shoppers * pageLoads * bytesPerLoad + requests * pollBytes) / 1e9,
    // Every request runs one: the pre-gate, the path function, or the clock of the pointer.
    viewerFunctionRuns: requests,
    gateRuns,
    gateGbSeconds: gateRuns * plan.edgeRunSeconds * (settings.edge.memoryMb / 1024),
    functionRuns: admitted + reads,
    functionGbSeconds: admitted * runSeconds.warm * gb(seller) + reads * runSeconds.read * gb(reader),
    redisCommands:
      sellingCommands(plan) + gateInstances(plan) * gateCommandsPerSecond * plan.openingSeconds * clicks,
    queueCalls: stock * queueCallsPerUnit,
    tableWrites: stock * writes,
    logGigabytes: (gateRuns * logBytesPerRun) / 1e9,
    isInspected: settings.firewall !== undefined,
  }
}
