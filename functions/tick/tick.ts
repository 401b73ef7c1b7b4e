/** Looks at running sales once a second. Ends at once when no sale needs it: an idle shop costs nothing. */

import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import { earlyClickMs, isOver, needsTick } from '../../core/sale/sale-life.ts'
import { logFailure } from '../lib/log-failure.ts'
import type { LogFacts, Telemetry } from '../lib/telemetry.ts'
import type { AdmissionRates } from '../sales/admissions.ts'
import { balanceShards } from '../sales/balance-shards.ts'
import { createBalancer } from '../sales/balancer.ts'
import { checkCatalogue } from '../sales/publishing/catalogue.ts'
import type { LookAtSale } from '../sales/scheduled-option.ts'
import { findCurrentSales, warmedSaleIds } from '../table/sale/sale-lists.ts'
import type { SeriesRecorder } from './record-series.ts'
import { type TickPorts, tickSale } from './tick-sale.ts'

const everyMs = 1000

/** How often the table is asked which sales there are; more often in a run that was woken, because further wakes may wait for it. */
const listEveryMs = 10_000
const listWokenEveryMs = 2000

/** Sales looked after at once. */
const atOnce = 20

/**
 * Sales that start too late to need it and are looked after all the same: if the gate loses its data, a small shop has
 * it again within a second, and a large one the rest of it with the next run.
 */
const alsoTicked = 20

type TickOptions = {
  series?: SeriesRecorder | undefined
  looks?: readonly { part: string; look: LookAtSale }[]
  first?: readonly SaleId[]
}

/**
 * Looks after every sale that is not over until `until` (epoch ms), or until no sale needs it any more. What fails of a
 * sale is logged once and tried each time; while the sales cannot be listed, some may need it. `series` keeps what each
 * look sees, and `looks` are those of options. It begins with `first`, new sales of a run that was woken, which the
 * lists may lack for a moment. Resolves with whether a sale needed it.
 */
export async function tick(
  ports: TickPorts,
  until: number,
  { series, looks = [], first = [] }: TickOptions = {},
): Promise<boolean> {
  const { clock, sleep } = ports
  const everyListMs = first.length > 0 ? listWokenEveryMs : listEveryMs
  const current = new Map<SaleId, Sale>()
  const over = new Set<SaleId>()
  const once = loggingOnce(ports)
  const balancer = createBalancer(ports)
  const rates: AdmissionRates = new Map()
  const note: LookAtSale = async (sale, seen) => {
    series?.take(sale, seen)
    await Promise.all(looks.map(({ part, look }) => once({ part, saleId: sale.saleId }, () => look(sale, seen))))
  }
  const keep = (isLast: boolean) => once({ part: 'series' }, async () => series?.write(isLast))
  let readAt: number | undefined
  let hasTicked = false
  for (;;) {
    const startedAt = clock()
    if (startedAt >= until) break
    if (readAt === undefined || startedAt - readAt >= everyListMs) {
      await once({ part: 'the list of sales' }, async () => {
        await readTicked(ports, current, over, { until, first })
        readAt = startedAt
      })
      const isKnown = readAt === startedAt
      const ended = [...current.values()].filter((sale) => hasEnded(sale, startedAt))
      await Promise.all(
        ended.map((sale) => once({ saleId: sale.saleId }, () => note(sale, { stock: undefined, gate: undefined }))),
      )
      if (isKnown && ![...current.values()].some((sale) => needsTick(sale, clock(), until))) break
    }
    hasTicked = true
    const balancing = [...current.values()].map((one) =>
      once({ part: 'the shards', saleId: one.saleId }, () => balanceShards(ports, balancer, one, startedAt + everyMs)),
    )
    for (const some of slicesOf([...current.values()], atOnce)) {
      if (clock() >= until) break
      await Promise.all(
        some.map((sale) => once({ saleId: sale.saleId }, () => tickOne(ports, current, { rates, note }, sale))),
      )
    }
    await Promise.all(balancing)
    await keep(false)
    await sleep(Math.max(0, Math.min(startedAt + everyMs, until) - clock()))
  }
  await keep(true)
  return hasTicked
}

/**
 * The sales that sell or did, those that start before `until`, and some more. One that is over is read once in a run.
 * Restores their catalogue as well: without a filter every made-up id is looked up, and a stale filter rejects new
 * sales.
 */
async function readTicked(
  ports: TickPorts,
  current: Map<SaleId, Sale>,
  over: Set<SaleId>,
  { until, first }: { until: number; first: readonly SaleId[] },
): Promise<void> {
  const { table, clock } = ports
  const horizon = until + earlyClickMs
  const [near, later] = await Promise.all([
    warmedSaleIds(table, 'before', horizon),
    warmedSaleIds(table, 'from', horizon, alsoTicked),
  ])
  const asked = [...new Set([...first, ...near, ...later])].filter((saleId) => !over.has(saleId))
  const found = await findCurrentSales(table, asked)
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
  known: { rates: AdmissionRates; note: LookAtSale },
  sale: Sale,
): Promise<void> {
  const present = await tickSale(ports, sale, known)
  if (present === undefined) current.delete(sale.saleId)
  else current.set(sale.saleId, present)
}

/** Runs work and logs its failure the first time only. */
function loggingOnce(telemetry: Telemetry) {
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
