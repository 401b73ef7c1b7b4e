/**
 * Inspects running sales once a second. Within two seconds windows change and open on time (R7), and the gate learns how many
 * requests it may admit in all and per second (G7, R8). A gate that lost a sale gets it again from one worker, while requests
 * wait (B3). Ends at once when no sale needs it, so an idle shop costs nothing.
 */
import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import { earlyClickMs, isOver, isSelling, needsTick } from '../../core/sale/sale-life.ts'
import { type GateFacts, readGate } from '../../redis/gate/gate.ts'
import { readReachable, type StockFacts } from '../../redis/stock/stock.ts'
import type { LockPorts } from '../lib/lock.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { type LogFacts, logFailure, type Telemetry } from '../lib/telemetry.ts'
import { type AdmissionRates, type InspectedSale, replenishAtRate } from '../sales/admissions.ts'
import { balanceShards } from '../sales/balance-shards.ts'
import { createBalancer } from '../sales/balancer.ts'
import type { SalePorts } from '../sales/effects.ts'
import { isPublishedToGate, isPublishedToStock } from '../sales/published-state.ts'
import { checkCatalogue } from '../sales/publishing/catalogue.ts'
import { repair } from '../sales/repair-sale.ts'
import type { InspectSale } from '../sales/scheduled-option.ts'
import { advanceIfDue } from '../sales/window-steps.ts'
import { findCurrentSales, warmedSaleIds } from '../table/sale/sale-lists.ts'
import { findSale } from '../table/sale/sales.ts'
import type { SeriesRecorder } from './record-series.ts'

/** The ports of the tick: those of a change of a sale, a lock, and what publishes the count of a split stock. */
type TickPorts = SalePorts & LockPorts & Pick<ShopContext, 'shopfront' | 'newToken' | 'meter' | 'log'>

const everyMs = 1000

/** How often the sales are listed, ms; more often in a woken run, because further wake-ups may wait for it. */
const listEveryMs = 10_000
const listWokenEveryMs = 2000

/** Sales inspected at once. */
const concurrency = 20

/**
 * Upcoming sales that are inspected although they start too late to need it. If the gate loses its data, a small shop has it
 * again within a second, and a large one the rest of it with the next run.
 */
const maxUpcoming = 20

type TickOptions = {
  series?: SeriesRecorder | undefined
  inspections?: readonly { part: string; inspect: InspectSale }[]
  first?: readonly SaleId[]
}

/**
 * Inspects every sale that is not over until `until` (epoch ms), or until no sale needs it. A failure at a sale is logged once
 * and retried each second; while the sales cannot be listed, some may need it. `series` records samples, and `inspections` are
 * the hooks of options. Starts with `first`, new sales of a woken run, which the lists may lack for a moment. Resolves with
 * whether a sale needed it.
 */
export async function tick(
  ports: TickPorts,
  until: number,
  { series, inspections = [], first = [] }: TickOptions = {},
): Promise<boolean> {
  const { clock, sleep } = ports
  const everyListMs = first.length > 0 ? listWokenEveryMs : listEveryMs
  const current = new Map<SaleId, Sale>()
  const over = new Set<SaleId>()
  const once = createLogOnce(ports)
  const balancer = createBalancer(ports)
  const rates: AdmissionRates = new Map()
  const note: InspectSale = async (sale, seen) => {
    series?.record(sale, seen)
    await Promise.all(
      inspections.map(({ part, inspect }) => once({ part, saleId: sale.saleId }, () => inspect(sale, seen))),
    )
  }
  const writeSeries = (isLast: boolean) => once({ part: 'recordSeries' }, async () => series?.write(isLast))
  let readAt: number | undefined
  let hasTicked = false
  for (;;) {
    const startedAt = clock()
    if (startedAt >= until) break
    if (readAt === undefined || startedAt - readAt >= everyListMs) {
      await once({ part: 'listSales' }, async () => {
        await readSales(ports, current, over, { until, first })
        readAt = startedAt
      })
      const isKnown = readAt === startedAt
      const ended = [...current.values()].filter((sale) => hasEnded(sale, startedAt))
      await Promise.all(
        ended.map((sale) =>
          once({ part: 'tick', saleId: sale.saleId }, () => note(sale, { stock: undefined, gate: undefined })),
        ),
      )
      if (isKnown && ![...current.values()].some((sale) => needsTick(sale, clock(), until))) break
    }
    hasTicked = true
    const balancing = [...current.values()].map((one) =>
      once({ part: 'balanceShards', saleId: one.saleId }, () =>
        balanceShards(ports, balancer, one, startedAt + everyMs),
      ),
    )
    for (const some of slicesOf([...current.values()], concurrency)) {
      if (clock() >= until) break
      await Promise.all(
        some.map((sale) =>
          once({ part: 'tick', saleId: sale.saleId }, () => tickOne(ports, current, { rates, note }, sale)),
        ),
      )
    }
    await Promise.all(balancing)
    await writeSeries(false)
    await sleep(Math.max(0, Math.min(startedAt + everyMs, until) - clock()))
  }
  await writeSeries(true)
  return hasTicked
}

/**
 * Reads the sales that sell or sold, those that start before `until`, and some more; a sale that is over is read once in a run.
 * Restores their catalogue as well: without a filter every made-up id is looked up, and a stale filter rejects new sales.
 */
async function readSales(
  ports: TickPorts,
  current: Map<SaleId, Sale>,
  over: Set<SaleId>,
  { until, first }: { until: number; first: readonly SaleId[] },
): Promise<void> {
  const { table, clock } = ports
  const horizon = until + earlyClickMs
  const [near, later] = await Promise.all([
    warmedSaleIds(table, 'before', horizon),
    warmedSaleIds(table, 'from', horizon, maxUpcoming),
  ])
  const ids = [...new Set([...first, ...near, ...later])].filter((saleId) => !over.has(saleId))
  const found = await findCurrentSales(table, ids)
  const now = clock()
  current.clear()
  for (const sale of found) {
    if (isOver(sale, now)) over.add(sale.saleId)
    else if (sale.warmed) current.set(sale.saleId, sale)
  }
  await checkCatalogue(ports, [...current.keys()])
}

async function tickOne(
  ports: TickPorts,
  current: Map<SaleId, Sale>,
  known: { rates: AdmissionRates; note: InspectSale },
  sale: Sale,
): Promise<void> {
  const present = await tickSale(ports, sale, known)
  if (present === undefined) current.delete(sale.saleId)
  else current.set(sale.saleId, present)
}

/** Returns a function that runs work and logs the same failure once. */
function createLogOnce(telemetry: Telemetry) {
  const logged = new Set<string>()
  return async (about: LogFacts, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      const what = JSON.stringify(about)
      if (!logged.has(what)) logFailure(telemetry, about, error)
      logged.add(what)
    }
  }
}

/**
 * Inspects `sale` once. Resolves with the sale as it is now, or undefined when it is gone. Costs one read of the gate and one
 * of the stock when nothing is due.
 * @throws when a part is unavailable
 */
async function tickSale(
  ports: TickPorts,
  sale: Sale,
  { rates, note }: { rates: AdmissionRates; note: InspectSale },
): Promise<Sale | undefined> {
  const { table, clock } = ports
  const { saleId } = sale
  const gate = await readGate(ports.gate, saleId)
  // The gate has a newer version, so `sale` is stale.
  const isOld = gate !== undefined && gate.version > sale.version
  const known = isOld ? (await findSale(table, saleId))?.sale : sale
  if (known === undefined) return undefined
  const present = await advanceIfDue(ports, known)
  if (present !== known) return present
  const seen: InspectedSale = isSelling(known, clock())
    ? await replenishAtRate(ports, known, rates)
    : { stock: await readReachable(ports.stock, saleId) }
  const { stock } = seen
  if (isBehind(known, gate, stock)) await publishAgain(ports, known)
  await ports.publisher.edge(saleId, gate)
  await note(known, { ...seen, gate })
  return known
}

/** True when the gate or the stock lacks this `sale`, which is not stale. A lost stock is left to the next run. */
function isBehind(sale: Sale, gate: GateFacts | undefined, stock: StockFacts | undefined): boolean {
  if (gate === undefined) return true
  if (Math.max(gate.version, stock?.version ?? 0) > sale.version) return false
  if (!isPublishedToGate(sale, gate, stock)) return true
  return stock === undefined ? sale.epoch === 0 : !stock.frozen && !isPublishedToStock(sale, stock)
}

async function publishAgain(ports: TickPorts, { saleId }: Sale): Promise<void> {
  const { unfinishedChange } = await repair(ports, saleId)
  if (unfinishedChange !== undefined) throw unfinishedChange
}
