/**
 * The ports that several functions share, with everything that leaves the process as steps of the
 * simulation.
 */
import type { SaleId } from '../core/ids.ts'
import type { AdmissionCompleter } from '../functions/buy/complete-admission.ts'
import type { DrawCoupons } from '../functions/orders/new-order.ts'
import { createPointerPublisher } from '../functions/sales/publishing/pointer.ts'
import { createPublisher } from '../functions/sales/publishing/publisher.ts'
import type { Site } from '../functions/sales/publishing/site.ts'
import type { GateBatchReader, GateReader, GateSnapshot } from '../functions/sales/snapshots.ts'
import { redisBlockNotices } from '../functions/stores/block-list.redis.ts'
import { redisCatalogue } from '../functions/stores/catalogue.redis.ts'
import { redisHeldClaims } from '../functions/stores/held-claims.redis.ts'
import { redisHoldings } from '../functions/stores/holdings.redis.ts'
import { redisHolds } from '../functions/stores/holds.redis.ts'
import { redisLocks } from '../functions/stores/locks.redis.ts'
import { redisOutbox } from '../functions/stores/outbox.redis.ts'
import { redisPacketStock } from '../functions/stores/packets.redis.ts'
import {
  redisAdmissionsReader,
  redisGate,
  redisGateReader,
  redisStock,
} from '../functions/stores/sales.redis.ts'
import { redisSoldOutPublisher } from '../functions/stores/sold-out.redis.ts'
import { redisAvailability, redisStockReader } from '../functions/stores/stock-readers.redis.ts'
import type { Commander } from '../redis/command.ts'
import { completeAdmissions } from '../redis/complete-admissions.ts'
import type { Simulation } from './engine/simulation.ts'
import type { SimulatedProvider } from './parts/provider.ts'
import type { QueuePorts } from './parts/queues.ts'
import type { TablePorts } from './parts/table.ts'

/** Everything outside the process, as steps; and the coupon codes, which are drawn at once. */
export type Outside = {
  stock: Commander
  gate: Commander
  table: TablePorts
  queues: QueuePorts
  provider: SimulatedProvider['port']
  site: Site
  drawCoupons: DrawCoupons
}

/** The simulated store executes one command at a time. */
const oneByOne = ({ read }: GateReader): GateBatchReader => ({
  async read(saleIds) {
    const found = new Map<SaleId, GateSnapshot>()
    for (const saleId of saleIds) {
      const snapshot = await read(saleId)
      if (snapshot !== undefined) found.set(saleId, snapshot)
    }
    return found
  },
})

export function sharedPorts(simulation: Simulation, outside: Outside) {
  const { stock, gate, table, provider, site } = outside
  const { now, sleep, random } = simulation
  const shared = {
    sleep,
    ...telemetryOf(simulation),
  }
  /** The clocks of two machines differ. */
  const common = () => {
    const skewMs = random.whole(-200, 200)
    return { ...shared, clock: () => now() + skewMs }
  }

  let made = 0
  const newId = (what: string) => () => {
    made += 1
    return `${what}-${made}`
  }
  const newToken = newId('start-token-of-many-symbols')

  const shopfront = () => {
    const ports = { site, sales: table.sales, stock: redisAvailability(stock), clock: now }
    return { refresh: createPointerPublisher(ports) }
  }

  /** What the gate is notified of after a request. */
  const gateNotifiers = (): {
    soldOut: ReturnType<typeof redisSoldOutPublisher>
    admissions: AdmissionCompleter
  } => ({
    soldOut: redisSoldOutPublisher(gate),
    admissions: {
      completeAdmissions: (saleId, second, seen) =>
        completeAdmissions(gate, saleId, { seconds: [second], seen, now: now() }),
    },
  })

  const orderLife = () => ({
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

  /** The ports of sale maintenance, the same for a schedule and a marketer. */
  const maintenance = () => ({
    ...orderLife(),
    ...maintenancePorts(simulation, outside),
    newToken,
    newId: newId('id'),
  })

  return { common, shopfront, gateNotifiers, orderLife, maintenance }
}

/** What maintenance needs besides the ports of an order's life. */
function maintenancePorts({ now, every }: Simulation, outside: Outside) {
  const { stock, gate, table, queues, site } = outside
  return {
    sales: table.sales,
    auditReader: { of: async () => [] },
    auditTrail: table.auditTrail,
    allDeadLetters: queues.allDeadLetters,
    holds: redisHolds(stock),
    saleOrders: table.saleOrders,
    redrives: table.redrives,
    couponOrders: table.couponOrders,
    outbox: redisOutbox(stock),
    queue: { sendAll: queues.sendAll },
    queues: queues.depths,
    deadOrders: queues.deadOrders,
    deadTimers: queues.deadTimers,
    stock: redisStock(stock),
    packetStock: redisPacketStock(stock),
    packetSeeds: table.packetSeeds,
    claims: redisHeldClaims(stock),
    claimLedger: table.claimLedger,
    claimQueue: queues.claimQueue,
    claimLetters: queues.rejectedClaims,
    deadClaims: queues.deadClaims,
    budgetStore: table.budgetStore,
    gateReader: redisGateReader(gate),
    gateBatchReader: oneByOne(redisGateReader(gate)),
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
    every: every,
    deadLetters: queues.redrive,
  }
}

/** The texts of pages do not matter to a simulated sale. */
const templates = { salePage: () => '', indexPage: () => '' }

/** Error logs of the functions go to the trace; metrics are dropped. */
function telemetryOf({ trace }: Simulation) {
  const line = (message: string, facts: object = {}) =>
    trace.write('  log', `${message} ${JSON.stringify(facts)}`)
  return {
    meter: { count: () => undefined },
    log: { debug: () => undefined, info: () => undefined, warn: line, error: line },
  }
}
