/**
 * The functions of the system wired as their handlers wire them, with every port that leaves the process a step of
 * the simulation. What a handler keeps in memory is kept here in its environments.
 */
import type { SaleId } from '../../core/ids.ts'
import { redisAvailability, redisStockReader } from '../../functions/adapters/availability.redis.ts'
import { redisBlockNotices } from '../../functions/adapters/block-notices.redis.ts'
import { redisCatalogue } from '../../functions/adapters/catalogue.redis.ts'
import {
  redisAdmissionsReader,
  redisGate,
  redisGateReader,
  redisStockShelf,
} from '../../functions/adapters/effects.redis.ts'
import { redisHoldings } from '../../functions/adapters/holdings.redis.ts'
import { redisHolds } from '../../functions/adapters/holds.redis.ts'
import { redisLocks } from '../../functions/adapters/locks.redis.ts'
import { rememberOffers } from '../../functions/adapters/offers.memory.ts'
import { redisOutbox } from '../../functions/adapters/outbox.redis.ts'
import { redisSoldOutSign } from '../../functions/adapters/sold-out-sign.redis.ts'
import { createPointerPublisher } from '../../functions/publishing/pointer.ts'
import { createPublisher } from '../../functions/publishing/publisher.ts'
import type { Site } from '../../functions/publishing/site.ts'
import { functionTimeoutMs } from '../../local/resources.ts'
import type { Commander } from '../../redis/command.ts'
import { acknowledge } from '../../redis/outbox.ts'
import { redeem, type StockSeen } from '../../redis/redeem.ts'
import { reserve } from '../../redis/reserve.ts'
import { openFleet } from './engine/fleet.ts'
import type { Simulation } from './engine/simulation.ts'
import type { SimulatedProvider } from './parts/provider.ts'
import type { QueuePorts } from './parts/queues.ts'
import type { TablePorts } from './parts/table.ts'

/** Everything outside the process, as steps. */
export type Outside = {
  stock: Commander
  gate: Commander
  table: TablePorts
  queues: QueuePorts
  provider: SimulatedProvider['port']
  site: Site
}

const limitMs = functionTimeoutMs('reserve')
const longLimitMs = functionTimeoutMs('control')

export type Functions = ReturnType<typeof wireFunctions>

export function wireFunctions(simulation: Simulation, outside: Outside) {
  const { stock, gate, table, queues, provider, site } = outside
  const { now, sleep, dice } = simulation
  /** No two machines tell quite the same time. */
  const common = () => {
    const skewMs = dice.whole(-200, 200)
    return { ...shared, clock: () => now() + skewMs }
  }
  const shared = {
    sleep,
    ...telemetryOf(simulation),
  }

  let made = 0
  const newId = (what: string) => () => {
    made += 1
    return `${what}-${made}`
  }

  const shopfront = () => {
    const ports = { site, sales: table.sales, stock: redisAvailability(stock), clock: now }
    return { refresh: createPointerPublisher(ports) }
  }

  const life = () => ({
    ledger: table.ledger,
    releases: table.releases,
    refunds: table.refunds,
    holdings: redisHoldings(stock),
    stockReader: redisStockReader(stock),
    gate: redisGate(gate),
    shopfront: shopfront(),
    provider,
    ...common(),
  })

  /** What looks after sales has the same ports, whether a schedule or a marketer asks for it. */
  const upkeep = () => ({
    ...life(),
    sales: table.sales,
    auditReader: { of: async () => [] },
    auditTrail: table.auditTrail,
    allDeadLetters: queues.allDeadLetters,
    holds: redisHolds(stock),
    saleOrders: table.saleOrders,
    outbox: redisOutbox(stock),
    queue: { sendAll: queues.sendAll },
    queues: queues.depths,
    deadOrders: queues.deadOrders,
    deadTimers: queues.deadTimers,
    stock: redisStockShelf(stock),
    gateReader: redisGateReader(gate),
    admissionsReader: redisAdmissionsReader(gate),
    catalogue: redisCatalogue(gate),
    blocklist: table.blocklist,
    blockNotices: redisBlockNotices(gate),
    publisher: createPublisher({
      site,
      sales: table.sales,
      stock: redisAvailability(stock),
      templates,
      clock: now,
    }),
    locks: redisLocks(gate),
    every: simulation.every,
    newToken: newId('start-token-of-many-letters'),
    newId: newId('id'),
    deadLetters: queues.redrive,
  })

  return {
    control: openFleet(simulation, 'control', longLimitMs, upkeep),
    reconcile: openFleet(simulation, 'reconcile', longLimitMs, upkeep),
    reserve: openFleet(simulation, 'reserve', limitMs, () => ({
      stock: { take: (purchase: Parameters<typeof reserve>[1]) => reserve(stock, purchase) },
      outbox: {
        acknowledge: (saleId: SaleId, orderId: Parameters<typeof acknowledge>[2][number]) =>
          acknowledge(stock, saleId, [orderId]),
      },
      queue: { send: queues.send },
      soldOut: redisSoldOutSign(gate),
      admissions: {
        redeem: (saleId: SaleId, second: number, seen: StockSeen | undefined) =>
          redeem(gate, saleId, { seconds: [second], seen, now: now() }),
      },
      ...common(),
    })),
    writeOrders: openFleet(simulation, 'writer', limitMs, () => ({
      book: table.book,
      offers: rememberOffers(table.sales),
      deadLetters: queues.asideOrders,
      deadlines: queues.deadlines,
      shopfront: shopfront(),
      ...common(),
    })),
    cancelUnpaid: openFleet(simulation, 'timer', limitMs, () => ({
      ...life(),
      deadlines: queues.deadlines,
      deadLetters: queues.asideTimers,
    })),
    orders: openFleet(simulation, 'orders', limitMs, () => {
      const offers = rememberOffers(table.sales)
      return {
        orders: { find: table.ledger.find, ofShopper: async () => [] },
        holds: redisHolds(stock),
        offers,
        ...life(),
      }
    }),
    payments: openFleet(simulation, 'webhook', limitMs, () => ({
      // Whose message it is, is checked elsewhere; here all are genuine.
      signatures: { faultOf: () => undefined },
      ...life(),
    })),
  }
}

/** The pages' texts are no part of a sale's truth. */
const templates = { salePage: () => '', indexPage: () => '' }

/** What the functions log as wrong is in the diary; nobody counts. */
function telemetryOf({ diary }: Simulation) {
  const line = (message: string, facts: object = {}) =>
    diary.write('  log', `${message} ${JSON.stringify(facts)}`)
  return {
    meter: { count: () => undefined },
    log: { debug: () => undefined, info: () => undefined, warn: line, error: line },
  }
}
