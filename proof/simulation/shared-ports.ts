/**
 * The ports that several functions share, with everything that leaves the process as steps of the
 * simulation.
 */
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

/** Everything outside the process, as steps; and the coupon codes, which are drawn at once. */
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

/** The clocks of two machines differ by so much at most, ms. */
export const longestSkewMs = 400

export type SharedPorts = ReturnType<typeof sharedPorts>

export function sharedPorts(simulation: Simulation, outside: Outside) {
  const { stock, gate, table, provider, site } = outside
  const { now, sleep, random } = simulation
  const shared = {
    sleep,
    ...telemetryOf(simulation),
  }
  const common = () => {
    const skewMs = random.whole(-longestSkewMs / 2, longestSkewMs / 2)
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

  /** What the gate is notified of after a request. */
  const gateNotifiers = () => ({
    soldOut: redisSoldOutPublisher(gate),
    admissions: admissions(),
    // Only people look at these counts: no decision depends on them.
    demand: { count: () => undefined },
  })
  const admissions = () => redisAdmissions(gate, now)

  const orderLife = () => ({ table: table.table, stock, gate, shopfront: shopfront(), provider, ...common() })

  /** The ports of sale maintenance, the same for a schedule and a marketer. */
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

/** What maintenance needs besides the ports of an order's life. */
function maintenancePorts(simulation: Simulation, outside: Outside) {
  const { now, every, random } = simulation
  const { stock, gate, table, queues, site, edgeStore } = outside
  const publisher = {
    ...createPublisher({
      ...{ site, edgeStore, gate, stock, templates, clock: now },
      ...{ table: table.table },
      ...telemetryOf(simulation),
    }),
    // They are the same for every sale.
    stablePages: async () => undefined,
  }
  return {
    allDeadLetters: queues.allDeadLetters,
    orderQueue: { sendAll: queues.sendAll, depth: queues.orderDepth },
    deadOrders: queues.deadOrders,
    deadTimers: queues.deadTimers,
    randomBytes: (length: number) => Uint8Array.from({ length }, () => random.whole(0, 255)),
    edgeStore,
    // The only addresses outside are those of issuers of customers, which all have one key.
    readPublicJson: async () => ({ keys: [issuerKey] }),
    publisher,
    shopfront: fullShopfront(publisher),
    every,
    deadLetters: queues.redrive,
  }
}

/** The texts of pages do not matter to a simulated sale. */
const templates = {
  salePage: () => '',
  indexPage: () => '',
  stablePage: () => '',
}

/** Error logs of the functions go to the trace; metrics are dropped. */
function telemetryOf({ trace }: Simulation) {
  const line = (message: string, facts: object = {}) => trace.write('  log', `${message} ${JSON.stringify(facts)}`)
  return {
    meter: { count: () => undefined },
    log: { info: () => undefined, warn: line, error: line },
  }
}

/**
 * Seals personal data in plain text, which opens for its purpose and owner alone. Real encryption ends on another
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
