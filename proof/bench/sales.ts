/**
 * What a shop with many sales costs: a tenth of them is warmed and ten are open, and every call to the table, to Redis
 * and to the public objects takes 5 ms. Beside them a sale with 100,000 orders in the local table.
 */

import { cursorOfSale, placeInCursor } from '../../core/sale/sale-cursor.ts'
import { salesPerPage } from '../../core/sale/sale-search.ts'
import { act, createSale } from '../../functions/control/control.ts'
import { pauseEverySale, resumeEverySale } from '../../functions/control/pause-all.ts'
import { readSalesPage } from '../../functions/control/sales-page.ts'
import { minAgeMs } from '../../functions/repair/orders/resend-outbox.ts'
import { reconcile } from '../../functions/repair/reconcile.ts'
import { holdAgeMs } from '../../functions/repair/stock/compare-holds.ts'
import { tick } from '../../functions/repair/tick.ts'
import { publishCatalogue } from '../../functions/sales/publishing/catalogue.ts'
import { startRealRedis } from '../simulation/parts/redis.ts'
import { atMost, inTurns, type MeasuredLine, type Measurement } from './harness.ts'
import { measureManyOrders } from './sales/many-orders.ts'
import { type Calls, type ManySales, openManySales } from './sales/many-sales.ts'

const fewest = 100
const counts = [fewest, 1000, 10_000]
const warmedOf = (count: number) => count / 10
const latencyMs = 5

/** A change of a marketer must not take longer, and a run of the repair must not. */
const changeSeconds = 0.5
const reconcileSeconds = 10

/** More than any run takes: how long it would need, not what it reaches. */
const patienceMs = 600_000

const tickMs = 12_000

const actor = { who: 'bench', requestId: 'bench', role: 'marketer' } as const

type Taken = Calls & { seconds: number }
type Job = (shop: ManySales) => Promise<unknown>

const jobs: Readonly<Record<string, Job>> = {
  'create a sale': async ({ ports, another }) => createSale(ports, actor, another()),
  'warm a sale': ({ ports, draft }) => act(ports, actor, draft.saleId, 'warm'),
  'a page of the list': ({ ports }) =>
    readSalesPage(ports, { limit: salesPerPage, archived: 'false', numbers: 'true' }),
  'search for a title, until it is found': find,
  'publish the list of sales': ({ ports, oldest }) => ports.publisher.index(oldest.saleId),
  'publish the catalogue': ({ ports }) => publishCatalogue(ports),
  'a run of reconcile': ({ ports }) => reconcile(ports, { minAgeMs, holdAgeMs, full: false }, Date.now() + patienceMs),
  'a tick of 12 s, ten sales open': ({ ports }) => tick(ports, Date.now() + tickMs),
  // Half of the warmed sales are started.
  'pause all sales': async ({ ports }) => allChanged(await pauseEverySale(ports, actor)),
  'resume all sales': async ({ ports }) => allChanged(await resumeEverySale(ports, actor)),
}

/** A call that had no time for a sale would be repeated. */
function allChanged({ failed }: { failed: readonly string[] }): void {
  if (failed.length > 0) throw new Error(`${failed.length} sales were not changed with all others`)
}

export async function measureSales(): Promise<Measurement> {
  const redis = await startRealRedis()
  try {
    const play = async (count: number) => {
      const shop = await openManySales(redis, { count, warmed: warmedOf(count), latencyMs })
      const taken = new Map<string, Taken>()
      for (const [name, work] of Object.entries(jobs)) taken.set(name, await timed(shop, work))
      return taken
    }
    // The code is compiled by then.
    await play(fewest)
    const played = await inTurns(counts, { rounds: 1, warmUps: 0 }, play)
    const columns = counts.map((count) => played.get(count)?.[0] ?? new Map<string, Taken>())
    return {
      name: 'sales',
      heads: counts.map(String),
      lines: [
        growthOf(columns),
        ...Object.keys(jobs).flatMap((name) => linesOf(name, columns)),
        ...(await measureManyOrders()),
      ],
    }
  } finally {
    await redis.stop()
  }
}

async function timed(shop: ManySales, work: Job): Promise<Taken> {
  shop.calls()
  const startedAt = performance.now()
  await work(shop)
  return { seconds: (performance.now() - startedAt) / 1000, ...shop.calls() }
}

/** The sale is the last of the list. A marketer reads on until it is there. */
async function find({ ports, oldest }: ManySales): Promise<void> {
  let after: string | undefined
  do {
    const place = after === undefined ? undefined : placeInCursor(after)
    const query = { limit: salesPerPage, archived: 'false', numbers: 'false', find: oldest.title } as const
    const { sales, next } = await readSalesPage(ports, { ...query, ...(place && { after: place }) })
    if (sales.some(({ saleId }) => saleId === oldest.saleId)) return
    after = next ?? undefined
  } while (after !== undefined)
  throw new Error(`${cursorOfSale(oldest)} was not found`)
}

/** What a person waits for costs as many calls beside many sales as beside few. */
const waitedFor = ['create a sale', 'warm a sale', 'a page of the list', 'search for a title, until it is found']
const mostGrowth = 1.2

function growthOf(columns: readonly ReadonlyMap<string, Taken>[]): MeasuredLine {
  const calls = columns.map((column) =>
    waitedFor
      .map((name) => column.get(name))
      .reduce((sum, one) => sum + (one === undefined ? Number.NaN : one.tableCalls + one.redisCommands), 0),
  )
  const [first = Number.NaN] = calls
  const growth = calls.map((sum) => sum / first)
  return atMost(
    'calls to create, warm, list and find a sale, as a multiple of those beside 100',
    growth.at(-1) ?? Number.NaN,
    mostGrowth,
    { value: growth.map((one) => one.toFixed(2)) },
  )
}

const limits: Readonly<Record<string, number>> = {
  'create a sale': changeSeconds,
  'warm a sale': changeSeconds,
  'a run of reconcile': reconcileSeconds,
}

function linesOf(name: string, columns: readonly ReadonlyMap<string, Taken>[]): MeasuredLine[] {
  const taken = columns.flatMap((column) => column.get(name) ?? [])
  const value = (of: (one: Taken) => number | string) => taken.map((one) => String(of(one)))
  const seconds = value(({ seconds }) => seconds.toFixed(2))
  const limit = limits[name]
  const last = taken.at(-1)?.seconds ?? Number.NaN
  return [
    limit === undefined
      ? { what: `${name}, s`, value: seconds }
      : atMost(`${name}, s`, last, limit, { value: seconds }),
    { what: '  calls to the table', value: value(({ tableCalls }) => tableCalls) },
    { what: '  items and keys read from it', value: value(({ tableItems }) => tableItems) },
    { what: '  commands to Redis', value: value(({ redisCommands }) => redisCommands) },
  ]
}
