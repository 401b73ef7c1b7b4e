/**
 * One scheduled run: all sales are looked through, and those that run are tended at the same time, because what a window or
 * the gate waits for cannot wait until every other sale was compared, or one of them rebuilt. The two need not know of each
 * other: what they write is guarded by revisions and times. Beside them a new shop gets its first page.
 */
import type { Publisher } from '../sales/publishing/publisher.ts'
import { unlessItFails } from './failures.ts'
import type { ReconcileOptions } from './findings.ts'
import { type Reconciled, type Ports as ReconcilePorts, reconcile } from './reconcile.ts'
import { type Ports as TickPorts, tick } from './tick.ts'

/** Epoch ms: when to begin with no other sale, and how long to stay with those that run. */
export type Until = { reconcile: number; tick: number }

/**
 * Resolves with what was corrected; undefined, after a log entry, when reconciling failed as a
 * whole.
 */
export async function reconcileAndTick(
  ports: ReconcilePorts & TickPorts & { publisher: Pick<Publisher, 'firstIndex'> },
  options: ReconcileOptions,
  until: Until,
): Promise<Reconciled | undefined> {
  const [done] = await Promise.all([
    unlessItFails(ports, { part: 'all sales' }, () => reconcile(ports, options, until.reconcile)),
    unlessItFails(ports, { part: 'tick' }, () => tick(ports, until.tick)),
    unlessItFails(ports, { part: 'first page' }, () => ports.publisher.firstIndex()),
  ])
  return done
}
