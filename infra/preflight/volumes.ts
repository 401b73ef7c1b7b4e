/** Everything of one sale that is billed by the piece. */
import { admissionsOf, runSeconds, tableWritesPerClaim, tableWritesPerOrder } from '../settings/arithmetic.ts'
import type { StageSettings } from '../settings/stage.ts'
import { pollBytes } from './gate-needs.ts'
import { type Plan, pollsOf, timeAsks } from './plan.ts'
import { gateCommandsPerSecond, gateInstances, sellingCommands } from './rates.ts'
import { rolesOf } from './roles.ts'

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
  /** Whether a firewall looks at every request. */
  isInspected: boolean
}

/** A page and its parts: HTML, style, script, picture; compressed about 28 kB (under 40 kB, asserted in a real browser). */
const objectsPerLoad = 4
const bytesPerLoad = 28_000

/** What the gate logs of one run, bytes. */
const logBytesPerRun = 500

/** Looks at one order until it is paid. */
const looksPerWinner = 20

/** Sent, received, deleted; the deadline as well. */
const queueCallsPerUnit = 6

/** What is written after the order itself: paid or cancelled, and its entry in the list. */
const tableWritesLater = 2

export function volumesOf(plan: Plan, settings: StageSettings): Volumes {
  const { shoppers, stock, clicks, pageLoads, kind } = plan
  const { seller, looked } = rolesOf(plan)
  const looks = stock * looksPerWinner
  const gateRuns = shoppers * clicks + looks
  const polls = shoppers * pollsOf(plan)
  const times = shoppers * (pageLoads + 1) * timeAsks
  // Each load brings the countdown of the moment, and the flip one more.
  const countdowns = shoppers * (pageLoads + 1)
  const small = polls + times + countdowns + gateRuns
  const letThrough = admissionsOf(plan)
  const gb = (name: typeof seller) => settings.functions[name].memoryMb / 1024
  const writes = kind === 'red-packet' ? tableWritesPerClaim : tableWritesPerOrder + tableWritesLater
  return {
    requests: shoppers * pageLoads * objectsPerLoad + small,
    gigabytes: (shoppers * pageLoads * bytesPerLoad + small * pollBytes) / 1e9,
    preGateRuns: gateRuns + times,
    gateRuns,
    gateGbSeconds: gateRuns * plan.edgeRunSeconds * (settings.edge.memoryMb / 1024),
    functionRuns: letThrough + looks,
    functionGbSeconds: letThrough * runSeconds.warm * gb(seller) + looks * runSeconds.look * gb(looked),
    redisCommands:
      sellingCommands(plan) + gateInstances(plan) * gateCommandsPerSecond * plan.openingSeconds * clicks,
    queueCalls: stock * queueCallsPerUnit,
    tableWrites: stock * writes,
    logGigabytes: (gateRuns * logBytesPerRun) / 1e9,
    isInspected: settings.firewall !== undefined,
  }
}
