/** Everything of one sale that is billed by use. */
import {
  admissionsOf,
  runSeconds,
  tableWritesPerClaim,
  tableWritesPerOrder,
} from '../../infra/settings/arithmetic.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import type { FunctionName } from '../../system/functions.ts'
import { type Plan, pollsOf, rolesOf, timeAsks } from './plan.ts'
import { gateCommandsPerSecond, gateInstances, pollBytes, sellingCommands } from './rates.ts'

export type Volumes = {
  requests: number
  gigabytes: number
  preGateRuns: number
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
 * A page and its parts: HTML, style, script, picture; compressed about 28 kB (under 40 kB, asserted
 * in a real browser).
 */
const objectsPerLoad = 4
const bytesPerLoad = 28_000

/** Log of one run of the gate. */
const logBytesPerRun = 500

/** Polls of one order until it is paid. */
const readsPerBuyer = 20

/** Send, receive and delete, of the order and of its deadline. */
const queueCallsPerUnit = 6

/** Written after the order: its payment or cancellation, and its entry in the list. */
const tableWritesLater = 2

export function volumesOf(plan: Plan, settings: StageSettings): Volumes {
  const { shoppers, stock, clicks, pageLoads, kind } = plan
  const { seller, reader } = rolesOf(plan)
  const reads = stock * readsPerBuyer
  const gateRuns = shoppers * clicks + reads
  const polls = shoppers * pollsOf(plan)
  const times = shoppers * (pageLoads + 1) * timeAsks
  // One countdown for each load, and one more after the start flag changed.
  const countdowns = shoppers * (pageLoads + 1)
  const small = polls + times + countdowns + gateRuns
  const admitted = admissionsOf(plan)
  const gb = (name: FunctionName) => settings.functions[name].memoryMb / 1024
  const writes = kind === 'red-packet' ? tableWritesPerClaim : tableWritesPerOrder + tableWritesLater
  return {
    requests: shoppers * pageLoads * objectsPerLoad + small,
    gigabytes: (shoppers * pageLoads * bytesPerLoad + small * pollBytes) / 1e9,
    preGateRuns: gateRuns + times,
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
