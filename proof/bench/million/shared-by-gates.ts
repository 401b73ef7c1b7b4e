/**
 * What the gates of a measurement share. Each gate is a copy of its module with a memory of its own, so this is no part of
 * that module.
 */

import type { GateStore, Lease } from '../../../edge/memory/gate-store.ts'

/**
 * The clock of all gates: it follows the clicks, so that the result does not depend on the speed of the machine.
 */
let now = Number.NaN

/** Epoch ms. */
export const virtualNow = () => now

export function setVirtualClock(epochMs: number): void {
  now = epochMs
}

const reports = new Map<string, number>()
const commands = new Map<string, number>()
const failures = new Map<string, number>()

/** Why the store did not answer, with how often. */
export const storeFailures: ReadonlyMap<string, number> = failures

/** Counts what a gate would write to its log, by its text: on a busy machine that would be thousands of lines. */
export function countReport(message: string, details: Record<string, unknown>): void {
  addOne(reports, [message, ...Object.values(details).map(String)].join(': '))
}

export function addOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The reports, and the commands to the store by kind, since the last call. A script is one command. */
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

/** The store of a gate, of which each call that a click without a challenge makes sends one command. */
export function countedStore(store: GateStore): GateStore {
  const calls = Object.entries<(...asked: never[]) => Promise<unknown>>(store).map(([name, call]) => [
    name,
    async (...asked: never[]) => {
      try {
        const answer = await call(...asked)
        const { kind } = name === 'admit' ? (answer as Lease) : { kind: undefined }
        addOne(commands, [kinds[name] ?? name, kind].filter(Boolean).join(' '))
        return answer
      } catch (failure) {
        addOne(failures, String(failure))
        throw failure
      }
    },
  ])
  return Object.fromEntries(calls)
}
