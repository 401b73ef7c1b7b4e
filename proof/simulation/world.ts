/**
 * One sale with everything around it: the functions, the services that they call, the ground truth, and the records of
 * answers.
 */
import { leaseLifeMs } from '../../core/gate/admission.ts'
import { parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { variantsSoldOut } from '../../core/sale/variants.ts'
import { stockParts } from '../../core/stock/divided-units.ts'
import { createMembers } from '../../edge/memory/members.ts'
import type { EdgeStore } from '../../functions/lib/shop/shop.ts'
import { webhookApp } from '../../functions/orders/payment-events.ts'
import type { Commander, SplitStocks } from '../../redis/command.ts'
import { admit } from '../../redis/gate/admit.ts'
import { type GateFacts, readGate } from '../../redis/gate/gate.ts'
import { isMember } from '../../redis/gate/members.ts'
import { admissionsKey } from '../../redis/keys.ts'
import { visibilitySeconds } from '../../system/queues.ts'
import { ledgerCheck } from './checks/credits.ts'
import type { Simulation } from './engine/simulation.ts'
import { stepper } from './engine/step.ts'
import { type Functions, wireFunctions } from './functions.ts'
import type { Mutation } from './mutation.ts'
import type { OptionParts, PlayedOption } from './option.ts'
import { openPacketRecord, type PacketRecord } from './packet-record.ts'
import { countedCoupons } from './parts/coupons.ts'
import { type CustomerGate, type CustomerRecord, openCustomerGate } from './parts/customer-gate.ts'
import { watchLocks } from './parts/locks.ts'
import { type SimulatedProvider, simulatedProvider } from './parts/provider.ts'
import { type SimulatedQueue, simulatedQueue } from './parts/queue.ts'
import { drawOtherSales, type Queues, recordingUnsent, steppedQueues, steppedWake } from './parts/queues.ts'
import { type RealRedis, steppedStore, withScripts } from './parts/redis.ts'
import { forwardedRequest, sendRequest } from './parts/requests.ts'
import { type MemorySite, memoryEdgeStore, memorySite } from './parts/site.ts'
import { type GroundTruth, openGroundTruth, steppedTable } from './parts/table.ts'
import { watchPackets, watchStock } from './parts/watch-redis.ts'
import {
  type CartRecord,
  type CouponRecord,
  openCartRecord,
  openCouponRecord,
  openReservationRecord,
  openStatusRecord,
  openVisitRecord,
  type ReservationRecord,
  type StatusRecord,
  type VisitRecord,
} from './records.ts'
import { type Outside, sharedPorts } from './shared-ports.ts'
import { openUnitsLeft, type UnitsLeft } from './units-left.ts'

export type World = {
  simulation: Simulation
  saleId: SaleId
  kind: SaleKind
  /** The requested number of shards; an unlimited stock has one. */
  shards: number
  /** The option of the sale; then only the shoppers on its list may buy. */
  option: PlayedOption<World> | undefined
  functions: Functions
  truth: GroundTruth
  redis: RealRedis
  /** The whole stock without faults, for checks and incidents. */
  stocks: SplitStocks
  queues: Queues
  /** Messages that wake `reconcile`; losing them does no harm. */
  wakes: SimulatedQueue
  provider: SimulatedProvider
  site: MemorySite
  edgeStore: ReturnType<typeof memoryEdgeStore>
  reservations: ReservationRecord
  packets: PacketRecord
  coupons: CouponRecord
  carts: CartRecord
  statusRecord: StatusRecord
  unitsLeft: UnitsLeft
  visits: VisitRecord
  /** Further started sales of the shop. */
  others: World[]
  gate: EdgeGate
  /** Verifies the tokens of customers of the shop. */
  customerGate: CustomerGate
  /** The shop's own customers, if the sale has some. */
  customers: CustomerRecord | undefined
  /** Reads the sale from the table. */
  sale: () => Promise<Sale>
  /** The gate's store restarted and lost all locks. */
  locksLost: () => void
  /** Returns a new idempotency key. */
  newKey: () => string
  /** Adds a shopper; `customer` is the id of a customer of the shop. */
  newShopper: (customer?: ShopperId) => ShopperId
  /** All shoppers so far. */
  shoppers: readonly ShopperId[]
  /** The start tokens of the pages so far, the latest last. */
  tokens: string[]
  /** Minutes until the sale was at rest. */
  restAfterMinutes: number
  violations: string[]
  violated: (what: string) => void
}

/** The gate, which decides from facts at most a second old and from its leased admissions. */
type EdgeGate = {
  /** True when the shopper is not on the list of a sale with an option. */
  refuses?: (shopperId: ShopperId, variant: string | undefined) => Promise<boolean>
  /** Admits a request, or returns undefined. `variant` is the requested variant, which may be sold out. */
  pass: (variant?: string) => Promise<SimulatedAdmission | undefined>
  /** Admits a request beyond the limit; it is counted like others. */
  passAnyway: () => Promise<SimulatedAdmission>
}

/** An admitted request; `admission` is the second in which it counts, undefined for an unlimited stock. */
export type SimulatedAdmission = { admission: number | undefined }

const visibilityMs = visibilitySeconds * 1000

/** Fewer than in the real queues, so that some messages become dead letters. */
const maxReceives = 3

type OpenOption = (parts: Omit<OptionParts, 'random' | 'seed'>) => PlayedOption<World>

/** Opens a world; its sale is created later. */
export function openSaleWorld(
  simulation: Simulation,
  { saleId, kind, shards }: Pick<World, 'saleId' | 'kind' | 'shards'>,
  redis: RealRedis,
  { mutation, openOption }: { mutation: Mutation | undefined; openOption: OpenOption | undefined },
): World {
  const violations: string[] = []
  const { newKey, newShopper, shoppers } = openNames()
  const violated = (what: string) => {
    violations.push(what)
    simulation.trace.write('!', what)
  }
  const truth = openGroundTruth(simulation, mutation?.edit)
  const shardCount = async (of: SaleId) => truth.sale(of)?.sale.databases.length || 1
  const stocks = { exec: redis.exec, shardCount }
  const reservations = openReservationRecord(violated)
  const unitsLeft = openUnitsLeft(stocks, truth.table, {
    saleId,
    now: simulation.now,
    reservations,
    stock: () => {
      const record = truth.sale(saleId)
      return record === undefined ? {} : stockParts(record.sale)
    },
    violated,
  })
  const packets = openPacketRecord(saleId, violated)
  const coupons = openCouponRecord(violated)
  const carts = openCartRecord(violated)
  const queue = (name: string) => simulatedQueue(simulation, { name, visibilityMs, maxReceives })
  const queues = { orders: queue('orders'), deadlines: queue('deadlines') }
  const wakes = queue('wake')
  const scripts = withScripts(redis, mutation?.scripts ?? new Map())
  const locks = watchLocks(scripts, simulation.now, violated)
  const site = memorySite()
  const edgeStore = memoryEdgeStore()
  const gate = steppedStore(simulation, 'gate', locks, { isSplit: false })
  const provider = simulatedProvider(simulation, (eventId, body) =>
    deliverWebhook(simulation, functions, eventId, body),
  )
  const statusRecord = openStatusRecord()
  const watched = watchStock(scripts, saleId, { statusRecord, unitsLeft }, violated)
  const stock = kind === 'red-packet' ? watchPackets(watched, saleId, packets, simulation.now, violated) : watched
  const check = ledgerCheck(truth, saleId, violated)
  const table = steppedTable(simulation, truth, { check, count: unitsLeft.count })
  const whole: Outside = {
    shards,
    stock: { ...steppedStore(simulation, 'stock', stock, { isSplit: shards > 1 }), shardCount },
    gate,
    table,
    queues: recordingUnsent(steppedQueues(simulation, queues, drawOtherSales(simulation)), reservations.unsent),
    provider: provider.port,
    site: steppedSite(simulation, site),
    edgeStore: steppedEdgeStore(simulation, edgeStore),
    wake: steppedWake(simulation, wakes),
    makeCoupons: countedCoupons(),
  }
  const outside = mutation?.outside?.(whole) ?? whole
  const shared = sharedPorts(simulation, outside)
  const functions = wireFunctions(simulation, outside, shared)
  const option = openOption?.({ simulation, saleId, truth, violated, outside, shared })
  return {
    simulation,
    saleId,
    kind,
    shards,
    option,
    functions,
    truth,
    redis,
    stocks,
    queues,
    wakes,
    provider,
    site,
    edgeStore,
    reservations,
    packets,
    coupons,
    carts,
    statusRecord,
    unitsLeft,
    visits: openVisitRecord(),
    others: [],
    gate: edgeGate(simulation, saleId, { store: gate, redis, onAdmitted: option?.onAdmitted }),
    customerGate: openCustomerGate(gate, simulation.now),
    customers: undefined,
    sale: () => saleIn(truth, saleId),
    locksLost: locks.forget,
    newKey,
    newShopper,
    shoppers,
    tokens: [],
    restAfterMinutes: 1,
    violations,
    violated,
  }
}

/**
 * Opens another sale of goods without variants in the same shop, with its own record. Its gate admits everyone, and
 * only its invariants at rest are checked.
 */
export function openFurtherSale(world: World, saleId: SaleId): World {
  const { truth, violated } = world
  const anyone = async (): Promise<SimulatedAdmission> => ({ admission: undefined })
  return {
    ...world,
    saleId,
    kind: 'goods',
    shards: 1,
    option: undefined,
    sale: () => saleIn(truth, saleId),
    tokens: [],
    reservations: openReservationRecord(violated),
    carts: openCartRecord(violated),
    unitsLeft: { count: async () => undefined, checkSoldOut: () => undefined },
    gate: { pass: anyone, passAnyway: anyone },
  }
}

async function saleIn(truth: GroundTruth, saleId: SaleId): Promise<Sale> {
  const sale = truth.sale(saleId)?.sale
  if (sale === undefined) throw new Error('the sale is gone')
  return sale
}

/** Shopper ids that are also names of object members, and of fields and keys in Redis. */
const borrowedNames = ['__proto__', 'constructor', 'toString', 'total', 'frozen', 'shopper:1', 'gate:-', 'lock:-']

function openNames(): Pick<World, 'newKey' | 'newShopper' | 'shoppers'> {
  const shoppers: ShopperId[] = []
  let keys = 0
  return {
    shoppers,
    newKey() {
      keys += 1
      return `key-${keys}`
    },
    newShopper(customer) {
      const shopperId = customer ?? parseShopperId(borrowedNames[shoppers.length] ?? `shopper-${shoppers.length + 1}`)
      if (shopperId === undefined) throw new Error('a shopper needs an id')
      shoppers.push(shopperId)
      return shopperId
    },
  }
}

function steppedSite(simulation: Simulation, { read, put, create, remove }: MemorySite): Outside['site'] {
  const { call } = stepper(simulation, 'site')
  return {
    read: call('read', read),
    put: call('put', put),
    create: call('create', create),
    remove: call('remove', remove),
  }
}

function steppedEdgeStore(simulation: Simulation, { etag, read, update }: EdgeStore): EdgeStore {
  const { call } = stepper(simulation, 'edge')
  return { etag: call('etag', etag), read: call('read', read), update: call('update', update) }
}

function edgeGate(
  { now, runExclusively, random }: Simulation,
  saleId: SaleId,
  {
    store,
    redis,
    onAdmitted,
  }: { store: Commander; redis: Commander; onAdmitted: PlayedOption<World>['onAdmitted'] | undefined },
): EdgeGate {
  let known: { facts: GateFacts | undefined; at: number } | undefined
  const present = async () => {
    // A gate that cannot read a sale's state rejects every request (I6).
    if (known === undefined || now() - known.at > 1000)
      known = { facts: await readGate(store, saleId).catch(() => undefined), at: now() }
    return known.facts
  }
  // Each instance has its own memory of shoppers.
  const memberships = [1, 2].map(() =>
    createMembers({ isMember: (...asked) => isMember(store, ...asked) }, now, () => undefined),
  )
  let left = { count: 0, until: 0, second: 0 }

  const admission = async (): Promise<SimulatedAdmission | undefined> => {
    const askedAt = now()
    if (left.count === 0 || askedAt >= left.until) {
      const lease = await admit(store, saleId, { now: askedAt, waiting: 1 }).catch(() => undefined)
      if (lease?.kind !== 'granted') return undefined
      left = { count: lease.count, until: askedAt + leaseLifeMs, second: lease.second }
    }
    left.count -= 1
    return { admission: left.second }
  }

  return {
    ...(onAdmitted && {
      async refuses(shopperId: ShopperId, variant: string | undefined) {
        const facts = await present()
        if (facts !== undefined && !facts.rules.invitedOnly) return false
        const askedAt = now()
        const { has } = random.pick(memberships)
        if (facts === undefined || (await has(saleId, shopperId, variant)) !== true) return true
        await runExclusively(() => onAdmitted(shopperId, variant, askedAt))
        return false
      },
    }),
    async passAnyway() {
      const second = Math.floor(now() / 1000)
      await runExclusively(async () => {
        await redis.exec(['HINCRBY', admissionsKey(saleId), `b${second}`, '1'])
        await redis.exec(['HINCRBY', admissionsKey(saleId), 'out', '1'])
      })
      return { admission: second }
    },
    async pass(variant) {
      const facts = await present()
      if (facts === undefined || facts.frozen || facts.soldOut || facts.flag !== 'on') return undefined
      if (variant !== undefined && variantsSoldOut(facts).includes(variant)) return undefined
      return admission()
    },
  }
}

/** Delivers a webhook; true when the shop acknowledged it. */
async function deliverWebhook(
  simulation: Simulation,
  { payments }: Functions,
  eventId: string,
  body: string,
): Promise<boolean> {
  const timestamp = String(Math.floor(simulation.now() / 1000))
  const headers = { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,genuine' }
  const request = forwardedRequest(undefined, 'POST', '/api/payments/webhook', body, headers)
  const answer = await sendRequest(simulation, payments, webhookApp, request)
  return answer?.statusCode === 200
}
