/**
 * The two kinds of runs. One of the schedule looks through all sales and at the same time ticks those that are running,
 * because a window or the gate cannot wait until every other sale is compared or one is recovered.
 * The two need no coordination: revisions and times guard what they write. A new shop also gets its
 * first page, every shop the keys of its customers, and options do their part.
 *
 * A run that was woken for sales whose answer to the crowd has changed (`Wake`) compares stock and gate, publishes to
 * the CloudFront Functions and the pages, and ends. For a sale that has just begun to sell it ticks as well, until a run
 * of the schedule is sure to: every other sale that sells has been listed by one. Any number of runs may do so at once.
 */

import * as z from 'zod/mini'
import { parseSaleId } from '../../core/ids.ts'
import { readBy, readJson } from '../../core/lib/parse.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { keepCustomerKeys } from '../gate/customer-keys.ts'
import { keepPassKeys } from '../gate/pass-keys.ts'
import { unlessItFails } from '../lib/log-failure.ts'
import type { ReconcileOptions, RepairPorts } from '../recovery/ports.ts'
import { balanceShards } from '../sales/balance-shards.ts'
import { createBalancer } from '../sales/balancer.ts'
import { repair } from '../sales/repair-sale.ts'
import { scheduledOptions } from '../sales/scheduled-options.ts'
import { findCurrentSales } from '../table/sale/sale-lists.ts'
import type { SeriesRecorder } from '../tick/record-series.ts'
import { tick } from '../tick/tick.ts'
import { type Reconciled, reconcile } from './reconcile.ts'

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

const wakeMessage = z.object({
  saleId: readBy(parseSaleId, 'is not a valid id'),
  begins: z.optional(z.boolean('must be true or false')),
})

/** Time for two rounds at rest, which confirm that nothing is left anywhere. */
const balanceMs = 1000

/** Never throws: the schedule does what is left. A message that cannot be read is dropped. */
export async function lookAtWoken(
  ports: RepairPorts,
  bodies: readonly string[],
  until: number,
  series?: SeriesRecorder,
): Promise<void> {
  const asked = bodies.flatMap((body) => {
    const read = readJson(wakeMessage, body)
    return read.ok ? [read.value] : []
  })
  const begun = asked.flatMap(({ saleId, begins }) => (begins ? [saleId] : []))
  const look = async () => {
    const sales = await findCurrentSales(ports.table, [...new Set(asked.map(({ saleId }) => saleId))])
    await Promise.all(sales.map((sale) => publishNow(ports, sale)))
  }
  await Promise.all([
    unlessItFails(ports, { part: 'woken sales' }, look),
    begun.length > 0 &&
      unlessItFails(ports, { part: 'tick' }, () =>
        tick(ports, until, { series, looks: looksWoken(ports), first: begun }),
      ),
  ])
}

const looksWoken = (ports: RepairPorts) =>
  scheduledOptions.filter(({ isWoken }) => isWoken).map(({ part, begin }) => ({ part, look: begin(ports).look }))

/** Of a split stock, `balanceShards` publishes what it finds. */
async function publishNow(ports: RepairPorts, sale: Sale): Promise<void> {
  const { saleId } = sale
  await unlessItFails(ports, { part: 'woken sale', saleId }, async () => {
    await repair(ports, saleId)
    await ports.publisher.edge(saleId)
    await balanceShards(ports, createBalancer(ports), sale, ports.clock() + balanceMs)
  })
}
