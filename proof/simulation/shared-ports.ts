/** The ports that several functions share. Everything that leaves the process is a step of the simulation. */
import { redisAdmissions, redisSoldOutPublisher } from '../../functions/entries/adapters/gate.redis.ts'
import type { Sealer } from '../../functions/lib/sealer.ts'
import type { EdgeStore, Site, Wake } from '../../functions/lib/shop/shop.ts'
import type { MakeCoupons } from '../../functions/orders/new-order.ts'
import { createPointerPublisher } from '../../functions/sales/publishing/pointer.ts'
import { createPublisher } from '../../functions/sales/publishing/publisher.ts'
import { fullShopfront, wakingShopfront } from '../../functions/sales/publishing/shopfront.ts'
import type { PersonalKeys } from '../../functions/table/people/contact-item.ts'
import type { Commander, Stocks } from '../../redis/command.ts'
import type { TableStores } from './dynamodb/memory-table.ts'
import type { Simulation } from './engine/simulation.ts'
import type { SimulatedProvider } from './parts/provider.ts'
import type { QueuePorts } from './parts/queues.ts'

/** Everything outside the process, as steps; coupon codes are drawn without a step. */
export type Outside = {
  /** The number of shards of the stock. */
  shards: number
  stock: Stocks
  gate: Commander
  table: TableStores
  queues: QueuePorts
  provider: SimulatedProvider['port']
  site: Site
  edgeStore: EdgeStore
  wake: Wake
  makeCoupons: MakeCoupons
}

/** Maximum skew between the clocks of two machines, ms. */
export const maxSkewMs = 400

export type SharedPorts = ReturnType<typeof sharedPorts>

export function sharedPorts(simulation: Simulation, outside: Outside) {
  const { stock, gate, table, provider, site } = outside
  const { now, sleep, random } = simulation
  const shared = {
    sleep,
    ...telemetryOf(simulation),
  }
  const common = () => {
    const skewMs = random.whole(-maxSkewMs / 2, maxSkewMs / 2)
    return { ...shared, clock: () => now() + skewMs }
  }

  let made = 0
  const newId = (what: string) => () => {
    made += 1
    return `${what}-${made}`
  }
  const newToken = newId('start-token-of-many-symbols')

  const shopfront = () => {
    const ports = { site, table: table.table, stock, clock: now }
    return wakingShopfront(createPointerPublisher(ports), outside.wake)
  }

  /** Ports that notify the gate after a request. */
  const gateNotifiers = () => ({
    soldOut: redisSoldOutPublisher(gate),
    admissions: admissions(),
    // No decision depends on these counts.
    demand: { count: () => undefined },
  })
  const admissions = () => redisAdmissions(gate, now)

  const orderLife = () => ({ table: table.table, stock, gate, shopfront: shopfront(), provider, ...common() })

  /** Ports of maintenance, for the schedule and for the marketer. */
  const maintenance = () => ({
    ...orderLife(),
    ...maintenancePorts(simulation, outside),
    sendsMails: false,
    newToken,
    newId: newId('id'),
  })

  return { common, shopfront, gateNotifiers, admissions, orderLife, maintenance, newId }
}

/** The public key of RFC 8037, appendix A.2. */
export const issuerKey = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }

/** Returns the ports of maintenance other than those of `orderLife`. */
function maintenancePorts(simulation: Simulation, outside: Outside) {
  const { now, every, random } = simulation
  const { stock, gate, table, queues, site, edgeStore } = outside
  const publisher = {
    ...createPublisher({
      ...{ site, edgeStore, gate, stock, templates, clock: now },
      ...{ table: table.table },
      ...telemetryOf(simulation),
    }),
    // These pages do not depend on the sale.
    stablePages: async () => undefined,
  }
  return {
    allDeadLetters: queues.allDeadLetters,
    orderQueue: { sendAll: queues.sendAll, depth: queues.orderDepth },
    deadOrders: queues.deadOrders,
    deadTimers: queues.deadTimers,
    randomBytes: (length: number) => Uint8Array.from({ length }, () => random.whole(0, 255)),
    edgeStore,
    // The only external addresses are those of issuers of customers; all have the same key.
    readPublicJson: async () => ({ keys: [issuerKey] }),
    publisher,
    shopfront: fullShopfront(publisher),
    every,
    deadLetters: queues.redrive,
  }
}

/** Simulated sales do not check the texts of pages. */
const templates = {
  salePage: () => '',
  indexPage: () => '',
  stablePage: () => '',
}

/** Writes warnings and errors of the functions to the trace; drops metrics. */
function telemetryOf({ trace }: Simulation) {
  const line = (message: string, facts: object = {}) => trace.write('  log', `${message} ${JSON.stringify(facts)}`)
  return {
    meter: { count: () => undefined },
    log: { info: () => undefined, warn: line, error: line },
  }
}

/**
 * Seals personal data as plain text that opens only for its purpose and owner. Real encryption completes on another
 * thread, at a time that no seed repeats.
 */
const sealer: Sealer = {
  seal: async ({ purpose, owner }, content) => JSON.stringify({ ...content, purpose, aud: owner }),
  async open({ purpose, owner }, text) {
    const { purpose: own, ...content } = JSON.parse(text)
    return own === purpose && content.aud === owner ? content : undefined
  },
}

export const personalData = (clock: () => number): PersonalKeys => ({ sealer, personalKeys: ['a2V5'], clock })
