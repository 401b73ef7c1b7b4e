/**
 * Group commit: writes many entries in one transaction, each to its final state. The group is tried as a whole. When it
 * is refused, the reasons name the entries at fault, the caller removes them, and the others are tried again.
 *
 * Every transaction of a sale updates its cap, and DynamoDB cancels one of two that overlap at an item. A queue's
 * consumer runs at least two writers, so conflicts are routine. A cancelled transaction is retried after a random pause
 * while its invocation has time. So is an unanswered one, whose message SQS would redeliver only after the visibility
 * timeout.
 */
import { retry } from './retry.ts'
import type { Telemetry } from './telemetry.ts'

/**
 * `begun`: the items that the entries need first are written, and the next try continues. `busy`: nothing was written,
 * a retry may succeed. `unavailable`: the table gave no usable answer.
 */
export type Committed<Refusal extends { kind: 'refused' }> =
  | { kind: 'written' }
  | { kind: 'begun' }
  | { kind: 'busy' }
  | { kind: 'unavailable'; cause: unknown }
  | Refusal

export type GroupPorts = {
  clock: () => number
  /** Waits before a retry. */
  sleep: (milliseconds: number) => Promise<void>
} & Telemetry

/** `write` writes all entries in one transaction or none. `nextAttempt` returns the entries to try after a refusal. */
export type Group<Entry, Refusal extends { kind: 'refused' }> = {
  write: (entries: readonly Entry[]) => Promise<Committed<Refusal>>
  nextAttempt: (entries: readonly Entry[], refusal: Refusal) => readonly Entry[]
}

/** The table is unavailable, or time ran out before a retry succeeded. The entries are not at fault. */
export class TableUnavailable extends Error {
  override name = 'TableUnavailable'
}

/** Items DynamoDB takes in one transaction. */
export const maxItems = 100

/** An entry needs `items` items with the keys `own`, and shares one item, `shared`, with others of its sale. */
export type Cost<Entry> = { items: number; own: (entry: Entry) => readonly string[]; shared: (entry: Entry) => string }

/** Returns groups that each fit one transaction: within the item limit, and with no item twice. */
export function groupsOf<Entry>(entries: readonly Entry[], { items: itemsEach, own, shared }: Cost<Entry>): Entry[][] {
  const groups: { entries: Entry[]; names: Set<string>; items: number }[] = []
  for (const entry of entries) {
    const ownKeys = own(entry)
    const sharedKey = shared(entry)
    const cost = (names: ReadonlySet<string>) => itemsEach + (names.has(sharedKey) ? 0 : 1)
    let group = groups.find(
      ({ names, items }) => items + cost(names) <= maxItems && !ownKeys.some((name) => names.has(name)),
    )
    if (group === undefined) {
      group = { entries: [], names: new Set(), items: 0 }
      groups.push(group)
    }
    group.items += cost(group.names)
    for (const name of [sharedKey, ...ownKeys]) group.names.add(name)
    group.entries.push(entry)
  }
  return groups.map((group) => group.entries)
}

/**
 * Resolves with the entries that this call wrote, in their final form. Starts no transaction after `deadline` (epoch ms).
 * @throws TableUnavailable when the entries only need a retry, or what `write` throws
 */
export async function commitGroup<Entry, Refusal extends { kind: 'refused' }>(
  { clock, sleep, meter }: GroupPorts,
  entries: readonly Entry[],
  { write, nextAttempt }: Group<Entry, Refusal>,
  deadline: number,
): Promise<readonly Entry[]> {
  let left = entries
  let cause: unknown
  return retry(async (tries) => {
    while (left.length > 0) {
      if (clock() >= deadline) {
        throw new TableUnavailable(`no time is left after ${tries - 1} tries`, { cause })
      }
      const result = await write(left)
      if (result.kind === 'begun') continue
      if (result.kind === 'written') {
        meter.count('TransactionsWritten')
        return left
      }
      if (result.kind === 'busy' || result.kind === 'unavailable') {
        if (result.kind === 'busy') meter.count('TransactionsRefused')
        else cause = result.cause
        return undefined
      }
      left = nextAttempt(left, result)
    }
    return left
  }, sleep)
}

/**
 * Passes each group to `commit`, one after another, and resolves with the failed entries, which `report` receives. Halves
 * a refused group until only the entry that cannot be written fails (O7). When the table is unavailable, all remaining
 * entries fail: they only need a retry.
 */
export async function commitEach<Entry>(
  groups: readonly Entry[][],
  commit: (group: readonly Entry[]) => Promise<void>,
  report: (failed: readonly Entry[], error: unknown) => void,
): Promise<Entry[]> {
  const failed: Entry[] = []
  const waiting = [...groups]
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    try {
      await commit(group)
    } catch (error) {
      const isUnavailable = error instanceof TableUnavailable
      if (!isUnavailable && group.length > 1) {
        const half = Math.ceil(group.length / 2)
        waiting.unshift(group.slice(0, half), group.slice(half))
        continue
      }
      const left = isUnavailable ? [group, ...waiting.splice(0)].flat() : group
      report(left, error)
      failed.push(...left)
    }
  }
  return failed
}
