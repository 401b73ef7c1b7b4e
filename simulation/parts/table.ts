/**
 * The table as the functions reach it: the fakes that the contract suites compare with DynamoDB,
 * every call a step. Sales and orders share one cap here, as in the real table.
 */
import { unitsPerCapPart } from '../../core/cap-part.ts'
import type { SaleId } from '../../core/ids.ts'
import type { SaleRows } from '../../functions/control/tables.ts'
import type { CapParts, NoAnswer } from '../../functions/orders/cap-parts.ts'
import type { OrderBook, Written } from '../../functions/orders/commit.ts'
import type {
  Authorisations,
  ListedOrder,
  OrderLedger,
  PaidOrders,
  Redrives,
  Refunds,
  Releases,
  SaleOrders,
} from '../../functions/orders/order-ledger.ts'
import type { Blocklist } from '../../functions/repair/ports.ts'
import type { BankBook } from '../../functions/sales/bank-book.ts'
import type { PacketSeeds } from '../../functions/sales/load-packets.ts'
import type { AuditTrail, SaleBook } from '../../functions/sales/sale-book.ts'
import type { Random } from '../engine/random.ts'
import type { Simulation } from '../engine/simulation.ts'
import { stepper } from '../engine/step.ts'
import { memoryBanks } from '../memory/banks.ts'
import { memoryBlocklist } from '../memory/blocklist.ts'
import { type MemoryTable, memoryTableWith } from '../memory/order-table.ts'
import { type MemorySales, memorySaleBook } from '../memory/sale-book.ts'
import { withCapsIn } from '../memory/shared-cap.ts'
import { type ClaimTablePorts, keptSeeds, steppedClaimTable } from './claim-table.ts'

/** The ground truth of the table, for checks only. */
export type GroundTruth = {
  table: MemoryTable
  sales: MemorySales
  banks: BankBook
  blocklist: Blocklist
  seeds: PacketSeeds
}

export type TablePorts = ClaimTablePorts & {
  book: OrderBook
  capParts: CapParts
  ledger: OrderLedger
  releases: Releases
  refunds: Refunds
  authorisations: Authorisations
  saleOrders: SaleOrders
  paidOrders: PaidOrders
  redrives: Redrives
  rows: SaleRows
  orderLists: MemoryTable['orderLists']
  sales: SaleBook
  banks: BankBook
  auditTrail: AuditTrail
  blocklist: Blocklist
}

/** The longest an index may lag behind the table, ms. */
const longestLagMs = 30_000

/** Caps of many parts and, as in the real table, of one: the stock is small. */
const unitsPerPart = [1, 3, unitsPerCapPart]

/** How often it does. */
const lagging = 0.3

export function openGroundTruth(
  random: Random,
  mutate: (table: MemoryTable) => MemoryTable = (table) => table,
): GroundTruth {
  const table = mutate(memoryTableWith({ unitsPerPart: random.pick(unitsPerPart) }))
  const sales = withCapsIn(table, memorySaleBook())
  const blocklist = memoryBlocklist(sales.audit)
  return { table, sales, banks: memoryBanks(), blocklist, seeds: keptSeeds(random) }
}

/** The orders of the sale, as they are now. */
export async function allOrders({ table }: GroundTruth, saleId: SaleId): Promise<readonly ListedOrder[]> {
  const orders: ListedOrder[] = []
  for await (const page of table.pages(saleId)) orders.push(...page)
  return orders
}

/**
 * `check` is called after each call that may have changed orders or sales, `count` after one that may have
 * changed a bank, before the caller receives the answer.
 */
export function steppedTable(
  simulation: Simulation,
  saleId: SaleId,
  truth: GroundTruth,
  { check, count }: { check: () => Promise<void>; count: () => Promise<void> },
): TablePorts {
  const { table, sales, banks, blocklist } = truth
  const { call, pages } = stepper(simulation, 'table')
  const index = laggingIndex(simulation)
  const writing =
    <Args extends unknown[], T>(port: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      try {
        return await port(...args)
      } finally {
        await check()
        index.update(await allOrders(truth, saleId))
      }
    }

  const saveBank: BankBook['save'] = async (...args) => {
    const saved = await banks.save(...args)
    await count()
    return saved
  }

  const unavailable = (why: string): NoAnswer => ({ kind: 'unavailable', cause: new Error(why) })
  const busy = () => ({ kind: 'busy' }) as const

  return {
    ...steppedClaimTable(simulation, truth, writing),
    book: {
      write: call<Parameters<OrderBook['write']>, Written>('write', writing(table.write), {
        unanswered: unavailable,
        busy,
      }),
    },
    capParts: {
      look: call('parts', table.capParts.look, { unanswered: unavailable }),
      lookAtOnce: call('parts at once', table.capParts.lookAtOnce, { unanswered: unavailable, busy }),
      move: call('move units', writing(table.capParts.move), { unanswered: unavailable, busy }),
    },
    ledger: {
      find: call('find', table.find),
      findMany: call('find many', table.findMany),
      change: call('change', writing(table.change), { busy }),
      reject: call('reject', writing(table.reject)),
    },
    releases: {
      due: call('releases due', table.releases.due),
      done: call('releases done', table.releases.done),
    },
    refunds: {
      due: call('refunds due', table.refunds.due),
      add: call('refunds add', table.refunds.add),
      find: call('refund', table.refunds.find),
    },
    authorisations: {
      due: call('authorisations due', table.authorisations.due),
      add: call('authorisations add', table.authorisations.add),
      done: call('authorisations done', table.authorisations.done),
    },
    saleOrders: {
      totals: call('totals', table.totals),
      totalsAtOnce: call('totals at once', table.totalsAtOnce),
      pages: pages('orders', async function* () {
        yield index.read()
      }),
    },
    paidOrders: { of: call('paid orders', table.paidOrders.of) },
    redrives: { note: call('note redrive', writing(table.redrives.note)) },
    orderLists: { page: call('list of orders', table.orderLists.page) },
    rows: {
      orders: pages('rows of orders', table.rows.orders),
      packets: pages('rows of packets', table.claims.rows.packets),
    },
    banks: {
      find: call('bank', banks.find),
      open: call('open bank', banks.open),
      save: call('save bank', saveBank, { busy: () => 'conflict' as const, rare: true }),
    },
    sales: {
      find: call('sale', sales.find),
      list: call('sales', sales.list),
      page: call('page of sales', sales.page),
      findDeleted: call('deleted sale', sales.findDeleted),
      create: call('create sale', sales.create),
      remove: call('remove sale', sales.remove),
      save: call('save sale', writing(sales.save)),
    },
    blocklist: {
      entries: call('blocks', blocklist.entries),
      find: call('block', blocklist.find),
      add: call('add block', blocklist.add),
      remove: call('remove block', blocklist.remove),
    },
    auditTrail: { add: call('audit', async (entry) => void sales.audit.push(entry)) },
  }
}

/** The index of a sale's orders, which may lag behind the table. */
function laggingIndex({ random, profile, trace, now }: Simulation) {
  /** Past states of the list with their times, the oldest first. */
  const past: { until: number; orders: readonly ListedOrder[] }[] = []
  let present: readonly ListedOrder[] = []

  return {
    update(orders: readonly ListedOrder[]): void {
      past.push({ until: now(), orders: present })
      present = orders
    },
    /** The list as the index shows it, possibly without the last changes. */
    read(): readonly ListedOrder[] {
      if (profile.rate === 0 || !random.chance(lagging)) return present
      const asOf = now() - random.spread(100, longestLagMs)
      const seen = past.find(({ until }) => until > asOf)
      if (seen !== undefined) trace.countFault('table orders', 'stale list')
      return seen?.orders ?? present
    },
  }
}
