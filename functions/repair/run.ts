/**
 * The two kinds of runs. A run of the schedule does the jobs of the repair and at the same time ticks the running sales,
 * because a window or the gate cannot wait until every other sale is compared or one is recovered. The two
 * need no coordination: revisions and times guard what they write. Beside them a new shop gets its keys and first pages,
 * and options do their part.
 *
 * A run that was woken for sales whose answer to the crowd has changed (`Wake`) compares stock and gate, publishes to
 * the CloudFront Functions and the pages, and ends. For a sale that has just begun to sell it ticks as well, until a run
 * of the schedule is sure to: every other sale that sells has been listed by one. Any number of runs may do so at once.
 */
import * as z from 'zod/mini'
import { parseSaleId } from '../../core/ids.ts'
import { readBy, readJson } from '../../core/lib/parse.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { unlessItFails } from '../lib/telemetry.ts'
import type { ReconcileOptions, RepairPorts } from '../recovery/ports.ts'
import { balanceShards } from '../sales/balance-shards.ts'
import { createBalancer } from '../sales/balancer.ts'
import { repair } from '../sales/repair-sale.ts'
import { scheduledOptions } from '../sales/scheduled-options.ts'
import { findCurrentSales } from '../table/sale/sale-lists.ts'
import type { SeriesRecorder } from '../tick/record-series.ts'
import { tick } from '../tick/tick.ts'
import type { Reconciled } from './job.ts'
import { openingJobs } from './jobs.ts'
import { reconcile, runJobs } from './reconcile.ts'

/** Epoch ms: after `reconcile` no job starts with another sale, and the tick ends at `tick`. */
export type Until = { reconcile: number; tick: number }

/**
 * Resolves with the findings of the jobs, undefined, after a log entry, when the sales could not be listed, and with whether
 * a sale was running or about to, undefined when the tick failed. `series` keeps the course of the running sales.
 */
export async function reconcileAndTick(
  ports: RepairPorts,
  options: ReconcileOptions,
  until: Until,
  series?: SeriesRecorder,
): Promise<{ done: Reconciled | undefined; hasTicked: boolean | undefined }> {
  const hooks = scheduledOptions.map(({ part, begin }) => ({ part, ...begin(ports) }))
  const [done, hasTicked] = await Promise.all([
    unlessItFails(ports, { part: 'listSales' }, () => reconcile(ports, options, until.reconcile)),
    unlessItFails(ports, { part: 'tick' }, () => tick(ports, until.tick, { series, inspections: hooks })),
    runJobs({ ...ports, deadline: until.reconcile }, openingJobs),
    ...hooks.map(({ part, run }) => unlessItFails(ports, { part }, run)),
  ])
  return { done, hasTicked }
}

const wakeMessage = z.object({
  saleId: readBy(parseSaleId, 'is not a valid id'),
  begins: z.optional(z.boolean('must be true or false')),
})

/** Time for two rounds at rest, which confirm that nothing is left anywhere. */
const balanceMs = 1000

/** Never throws: the schedule does what is left. A message that cannot be read is dropped. */
export async function handleWakeups(
  ports: RepairPorts,
  bodies: readonly string[],
  until: number,
  series?: SeriesRecorder,
): Promise<void> {
  const wakeups = bodies.flatMap((body) => {
    const read = readJson(wakeMessage, body)
    return read.ok ? [read.value] : []
  })
  const begun = wakeups.flatMap(({ saleId, begins }) => (begins ? [saleId] : []))
  const publish = async () => {
    const sales = await findCurrentSales(ports.table, [...new Set(wakeups.map(({ saleId }) => saleId))])
    await Promise.all(sales.map((sale) => publishNow(ports, sale)))
  }
  await Promise.all([
    unlessItFails(ports, { part: 'wake' }, publish),
    begun.length > 0 &&
      unlessItFails(ports, { part: 'tick' }, () =>
        tick(ports, until, { series, inspections: wokenInspections(ports), first: begun }),
      ),
  ])
}

const wokenInspections = (ports: RepairPorts) =>
  scheduledOptions.filter(({ isWoken }) => isWoken).map(({ part, begin }) => ({ part, inspect: begin(ports).inspect }))

/** For a split stock `balanceShards` publishes what it finds. */
async function publishNow(ports: RepairPorts, sale: Sale): Promise<void> {
  const { saleId } = sale
  await unlessItFails(ports, { part: 'wake', saleId }, async () => {
    await repair(ports, saleId)
    await ports.publisher.edge(saleId)
    await balanceShards(ports, createBalancer(ports), sale, ports.clock() + balanceMs)
  })
}
