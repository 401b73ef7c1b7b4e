/**
 * Processor time of this process and its children, by part. On a busy machine it is more telling
 * than rates. Reads `/proc`, so it works on Linux only.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { MeasuredLine } from './measurement.ts'

/** Milliseconds of processor time by part; empty where there is no `/proc`. */
export type ProcessorTime = Map<string, number>

const msPerTick = 10
const parts: [string, RegExp][] = [
  ['functions', /functions-host/],
  ['workers', /workers-host/],
  ['cloud', /cloud-host/],
  ['DynamoDB', /dynoxide|dynamodb/],
  ['Redis', /redis-server/],
  ['crowd', /crowd\.ts/],
]

type Process = { pid: number; parent: number; ms: number; command: string }

export function readProcessorTime(): ProcessorTime {
  const found: ProcessorTime = new Map()
  for (const { pid, ms, command } of family(readProcesses())) {
    const part = pid === process.pid ? 'front' : parts.find(([, pattern]) => pattern.test(command))?.[0]
    if (part !== undefined) found.set(part, (found.get(part) ?? 0) + ms)
  }
  return found
}

/** Microseconds of processor time by part, the most expensive first. */
export type Costs = readonly [part: string, us: number][]

/** What each of `orders` cost between two readings. */
export function costPerOrder(before: ProcessorTime, after: ProcessorTime, orders: number): Costs {
  return [...after]
    .map(([part, ms]): [string, number] => [
      part,
      Math.round(((ms - (before.get(part) ?? 0)) * 1000) / orders),
    ])
    .sort(([, a], [, b]) => b - a)
}

export function costLine(costs: Costs): MeasuredLine {
  const total = costs.reduce((sum, [, us]) => sum + us, 0)
  const parts = costs.map(([part, us]) => `${part} ${us}`).join(', ')
  return { what: 'processor time per order, µs', value: `${total}: ${parts}` }
}

function readProcesses(): Process[] {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ms = (Number(fields[11]) + Number(fields[12])) * msPerTick
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return [{ pid: Number(name), parent: Number(fields[1]), ms, command }]
    } catch (error) {
      if (isGone(error)) return []
      throw error
    }
  })
}

/** Undefined for a process that ended after the listing. */
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
