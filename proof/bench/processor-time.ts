/**
 * Measures processor time of this process and its children by part, and per losing request: on a busy machine it is
 * more reliable than rates. Reads `/proc`, so it works on Linux only.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { EdgeTimes, FunctionTime } from '../../local/cdn/edge-times.ts'

/** Processor time by part, ms; empty where there is no `/proc`. */
export type ProcessorTime = Map<string, number>

const msPerTick = 10

/** Parts of a system by patterns of their command lines, whose words end with a NUL; `own` names this process. */
export type ProcessParts = { own: string; others: readonly (readonly [part: string, command: RegExp])[] }

const localSystem: ProcessParts = {
  own: 'front',
  others: [
    ['functions', /(?:functions|environment)-host/],
    ['workers', /workers-host/],
    // The Upstash API, SQS and S3 share a process.
    ['Upstash API and queue', /cloud-host/],
    ['DynamoDB', /dynoxide|dynamodb/],
    ['Redis', /redis-server/],
  ],
}

type Process = { pid: number; parent: number; ms: number; command: string }

/** Finds this process and its descendants that are parts of the system. */
export function findProcesses({ own, others }: ProcessParts): { part: string; pid: number; ms: number }[] {
  return family(readProcesses()).flatMap(({ pid, ms, command }) => {
    const part = pid === process.pid ? own : others.find(([, pattern]) => pattern.test(command))?.[0]
    return part === undefined ? [] : [{ part, pid, ms }]
  })
}

/** Reads the time of the parts of `system`, by default those of a local system. */
export function readProcessorTime(system: ProcessParts = localSystem): ProcessorTime {
  const found: ProcessorTime = new Map()
  for (const { part, ms } of findProcesses(system)) found.set(part, (found.get(part) ?? 0) + ms)
  return found
}

/** Processor time before and after a measurement. */
export type TimeReadings = { before: ProcessorTime; after: ProcessorTime }

/** Adds up the time between the readings of each pair. */
export function addTimes(pairs: readonly TimeReadings[]): ProcessorTime {
  const spent: ProcessorTime = new Map()
  for (const { before, after } of pairs) {
    for (const [part, ms] of after) spent.set(part, (spent.get(part) ?? 0) + ms - (before.get(part) ?? 0))
  }
  return spent
}

const fieldsOf = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

function readProcesses(): Process[] {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = fieldsOf(stat)
      const ms = (Number(fields[11]) + Number(fields[12])) * msPerTick
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return [{ pid: Number(name), parent: Number(fields[1]), ms, command }]
    } catch (error) {
      if (isGone(error)) return []
      throw error
    }
  })
}

/** True for a process that ended after the listing. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ESRCH'
}

function family(all: Process[]): Process[] {
  const ours = new Set([process.pid])
  for (let grown = true; grown; ) {
    const children = all.filter(({ pid, parent }) => !ours.has(pid) && ours.has(parent))
    for (const { pid } of children) ours.add(pid)
    grown = children.length > 0
  }
  return all.filter(({ pid }) => ours.has(pid))
}

/**
 * Processor time per losing request, µs. Pre-gate and gate share a process with the emulated CloudFront and often with
 * the load, so their time comes from performance counters. Functions and Redis are separate processes, and include the
 * work for the winners.
 */
export type LosingTime = { parts: readonly (readonly [part: string, us: number])[]; totalUs: number }

/** Deployed code and Redis; the emulators of other services have no equivalent cost in the cloud. */
const processes = ['functions', 'workers', 'Redis']

export function losingTime({ preGate, gate }: EdgeTimes, processors: TimeReadings, losingRequests: number): LosingTime {
  const spent = addTimes([processors])
  const times = [
    ['pre-gate', timeOf(preGate)] as const,
    ['gate', timeOf(gate)] as const,
    ...processes.flatMap((part) => (spent.has(part) ? [[part, (spent.get(part) ?? 0) * 1000] as const] : [])),
  ]
  const parts = times.map(([part, us]) => [part, us / Math.max(1, losingRequests)] as const)
  return { parts, totalUs: parts.reduce((sum, [, us]) => sum + us, 0) }
}

/** Returns the time of all calls, µs; untimed calls count as the average of the others. */
const timeOf = ({ calls, timed, us }: FunctionTime): number => (timed === 0 ? 0 : (us / timed) * calls)

/** Returns a text such as `12.3 µs: gate 10.0, Redis 2.3`. */
export function losingTimeText({ parts, totalUs }: LosingTime): string {
  return `${totalUs.toFixed(1)} µs: ${parts.map(([part, us]) => `${part} ${us.toFixed(1)}`).join(', ')}`
}
