/**
 * State that all gates of a measurement share: the virtual clock and counters. Each gate is a copy of its module with
 * its own memory, so shared state needs another module.
 */

import type { GateStore, Lease } from '../../../edge/memory/gate-store.ts'

/** The clock of all gates. It follows the clicks, so that the result does not depend on the speed of the machine. */
let now = Number.NaN

/** Returns the virtual time, epoch ms. */
export const virtualNow = () => now

export function setVirtualClock(epochMs: number): void {
  now = epochMs
}

const reports = new Map<string, number>()
const commands = new Map<string, number>()
const failures = new Map<string, number>()

/** Failures of the store, counted by reason. */
export const storeFailures: ReadonlyMap<string, number> = failures

/** Counts log lines of a gate by their text: on a busy machine there would be thousands. */
export function countReport(message: string, details: Record<string, unknown>): void {
  increment(reports, [message, ...Object.values(details).map(String)].join(': '))
}

export function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Returns and resets the counts of log lines, and of commands to the store by kind. A script counts as one command. */
export function takeCounts(): Record<'reports' | 'gateCommands', Map<string, number>> {
  const taken = { reports: new Map(reports), gateCommands: new Map(commands) }
  reports.clear()
  commands.clear()
  return taken
}

const kinds: Readonly<Record<string, string>> = {
  read: 'facts of the sale',
  versions: 'versions of the lists',
  blocklist: 'block list',
  filter: 'filter of sale ids',
  admit: 'lease',
  countDemand: 'demand counted',
}

/** Wraps the store of a gate and counts its calls. Each call of a click without a challenge sends one command. */
export function countedStore(store: GateStore): GateStore {
  const calls = Object.entries<(...asked: never[]) => Promise<unknown>>(store).map(([name, call]) => [
    name,
    async (...asked: never[]) => {
      try {
        const answer = await call(...asked)
        const { kind } = name === 'admit' ? (answer as Lease) : { kind: undefined }
        increment(commands, [kinds[name] ?? name, kind].filter(Boolean).join(' '))
        return answer
      } catch (failure) {
        increment(failures, String(failure))
        throw failure
      }
    },
  ])
  return Object.fromEntries(calls)
}
