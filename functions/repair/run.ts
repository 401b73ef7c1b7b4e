/**
 * One scheduled run: it looks through all sales and at the same time ticks those that are running,
 * because a window or the gate cannot wait until every other sale is compared or one is recovered.
 * The two need no coordination: revisions and times guard what they write. A new shop also gets its
 * first page, every shop the keys of its customers, and options do their part.
 */
import { unlessItFails } from './failures.ts'
import { keepCustomerKeys } from './gate/customer-keys.ts'
import { keepPassKeys } from './gate/pass-keys.ts'
import type { ReconcileOptions, RepairPorts } from './ports.ts'
import { type Reconciled, reconcile } from './reconcile.ts'
import type { SeriesRecorder } from './record-series.ts'
import { scheduledOptions } from './scheduled-options.ts'
import { tick } from './tick.ts'

/** Epoch ms: when to begin with no other sale, and how long to stay with those that run. */
export type Until = { reconcile: number; tick: number }

/**
 * Resolves with what was corrected, undefined, after a log entry, when reconciling failed as a whole, and with whether
 * a sale was running or about to, undefined when the tick failed. `series` keeps the course of the running sales.
 */
export async function reconcileAndTick(
  ports: RepairPorts,
  asked: ReconcileOptions,
  until: Until,
  series?: SeriesRecorder,
): Promise<{ done: Reconciled | undefined; hasTicked: boolean | undefined }> {
  const options = scheduledOptions.map(({ part, begin }) => ({ part, ...begin(ports) }))
  const [done, hasTicked] = await Promise.all([
    unlessItFails(ports, { part: 'all sales' }, () => reconcile(ports, asked, until.reconcile)),
    unlessItFails(ports, { part: 'tick' }, () => tick(ports, until.tick, { series, looks: options })),
    openShop(ports),
    ...options.map(({ part, run }) => unlessItFails(ports, { part }, run)),
  ])
  return { done, hasTicked }
}

/** A new shop has keys for passes before its first page, so that its first shopper gets one. */
async function openShop(ports: RepairPorts): Promise<void> {
  await unlessItFails(ports, { part: 'pass keys' }, () => keepPassKeys(ports))
  await unlessItFails(ports, { part: 'keys of customers' }, () => keepCustomerKeys(ports))
  await unlessItFails(ports, { part: 'first page' }, () => ports.publisher.firstIndex())
  await unlessItFails(ports, { part: 'stable pages' }, () => ports.publisher.stablePages())
}
