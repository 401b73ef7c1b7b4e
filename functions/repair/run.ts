/**
 * The two kinds of runs. A scheduled run repairs all sales and ticks the running ones in parallel, because a window or the gate
 * cannot wait until every other sale is compared or one is recovered. The two need no coordination, because revisions and times
 * guard their writes. The run also makes the keys and first pages of a new shop, and runs options.
 *
 * A woken run (`Wake`) compares stock and gate of sales whose public state changed, publishes to the CloudFront Functions and
 * the pages, and ends. For a sale that has just begun to sell it also ticks until a scheduled run is sure to; every other
 * selling sale has been listed by one. Woken runs may overlap.
 */
import * as z from 'zod/mini'
import { parseSaleId } from '../../core/ids.ts'
import { readBy, readJson } from '../../core/lib/parse.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { tryLogged } from '../lib/telemetry.ts'
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

/** Epoch ms: no job starts another sale after `reconcile`, and the tick ends at `tick`. */
export type Until = { reconcile: number; tick: number }

/**
 * Resolves with the findings of the jobs (undefined, after a log entry, when the sales could not be listed), and with whether a
 * sale was running or about to (undefined when the tick failed). `series` records the running sales.
 */
export async function reconcileAndTick(
  ports: RepairPorts,
  options: ReconcileOptions,
  until: Until,
  series?: SeriesRecorder,
): Promise<{ done: Reconciled | undefined; hasTicked: boolean | undefined }> {
  const hooks = scheduledOptions.map(({ part, begin }) => ({ part, ...begin(ports) }))
  const [done, hasTicked] = await Promise.all([
    tryLogged(ports, { part: 'listSales' }, () => reconcile(ports, options, until.reconcile)),
    tryLogged(ports, { part: 'tick' }, () => tick(ports, until.tick, { series, inspections: hooks })),
    runJobs({ ...ports, deadline: until.reconcile }, openingJobs),
    ...hooks.map(({ part, run }) => tryLogged(ports, { part }, run)),
  ])
  return { done, hasTicked }
}

const wakeMessage = z.object({
  saleId: readBy(parseSaleId, 'is not a valid id'),
  begins: z.optional(z.boolean('must be true or false')),
})

/** Time for two rounds without a change, which confirm that no unit is left anywhere. */
const balanceMs = 1000

/** Handles wake-up messages. Never throws, because the schedule does the rest. Drops unreadable messages. */
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
    tryLogged(ports, { part: 'wake' }, publish),
    begun.length > 0 &&
      tryLogged(ports, { part: 'tick' }, () =>
        tick(ports, until, { series, inspections: wokenInspections(ports), first: begun }),
      ),
  ])
}

const wokenInspections = (ports: RepairPorts) =>
  scheduledOptions.filter(({ isWoken }) => isWoken).map(({ part, begin }) => ({ part, inspect: begin(ports).inspect }))

/** Publishes one sale; `balanceShards` publishes a split stock. */
async function publishNow(ports: RepairPorts, sale: Sale): Promise<void> {
  const { saleId } = sale
  await tryLogged(ports, { part: 'wake', saleId }, async () => {
    await repair(ports, saleId)
    await ports.publisher.edge(saleId)
    await balanceShards(ports, createBalancer(ports), sale, ports.clock() + balanceMs)
  })
}
