/**
 * The system behind `/api/control` on a real Redis, with everything else in memory: sales and orders in one table, the
 * queue, the payment provider and the public objects, on a clock that the test moves.
 */
import type { ClaimMessage } from '../../../core/claim.ts'
import type { OrderId, SaleId } from '../../../core/ids.ts'
import type { PaymentMoney } from '../../../core/order-life.ts'
import type { OrderMessage } from '../../../core/order-message.ts'
import { openSaleFilter } from '../../../core/sale-filter.ts'
import { type Basket, basketUnits } from '../../../core/variants.ts'
import { answerControl } from '../../../functions/control/http.ts'
import type { ControlRoutePorts } from '../../../functions/control/routes.ts'
import {
  answerPersonalControl,
  type PersonalControlPorts,
} from '../../../functions/delivery/control-routes.ts'
import type { HttpRequest } from '../../../functions/lib/http/request.ts'
import { bookInParts } from '../../../functions/orders/book-in-parts.ts'
import { commitChunk } from '../../../functions/orders/commit.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import { stripeStep } from '../../../functions/payments/stripe-currency.ts'
import { answerPictures } from '../../../functions/pictures/pictures-http.ts'
import type { BeforeRedrive } from '../../../functions/repair/ports.ts'
import { createPublisher } from '../../../functions/sales/publishing/publisher.ts'
import type { Commander, Stocks } from '../../../redis/command.ts'
import { completeAdmissions } from '../../../redis/complete-admissions.ts'
import { type GateFacts, readGate } from '../../../redis/gate.ts'
import { type Hold, holdPages, readHolds } from '../../../redis/holds.ts'
import { admissionsKey, lockKey, sharedListKeys, shopperField, stockKeys } from '../../../redis/keys.ts'
import { acknowledgeOrders } from '../../../redis/outbox.ts'
import { readAdmissions } from '../../../redis/replenish.ts'
import { pairs } from '../../../redis/reply.ts'
import { reserve as reserveUnits } from '../../../redis/reserve.ts'
import { readFilter } from '../../../redis/shared-lists.ts'
import { readStock, type StockFacts } from '../../../redis/stock.ts'
import { memoryBanks } from '../../../simulation/memory/banks.ts'
import { memoryBlocklist } from '../../../simulation/memory/blocklist.ts'
import { memoryBrand } from '../../../simulation/memory/brand.ts'
import { countedCoupons } from '../../../simulation/memory/counted-coupons.ts'
import { memoryEarlyLists } from '../../../simulation/memory/early-lists.ts'
import { memoryEdgeStore } from '../../../simulation/memory/edge-store.ts'
import { memoryTable } from '../../../simulation/memory/order-table.ts'
import { outage } from '../../../simulation/memory/outage.ts'
import { memorySaleBook } from '../../../simulation/memory/sale-book.ts'
import { withCapsIn } from '../../../simulation/memory/shared-cap.ts'
import { memorySite } from '../../../simulation/memory/site.ts'
import { requestOf, testTelemetry } from '../../../simulation/memory/support.ts'
import { memoryTemplates } from '../../../simulation/memory/templates.ts'
import { watchLocks } from '../../../simulation/parts/locks.ts'
import { apiBehaviours } from '../../../system/behaviours.ts'
import { memoryDeadLetters } from '../../contract/fakes/dead-letters.ts'
import { aPhone, orderIdOf, raw, saleIdOf, shopperIdOf, waitingIn } from '../../redis/support.ts'
import { testStore } from '../../redis/test-store.ts'
import { settledMoney } from '../orders/settled-money.ts'
import { pictureRig } from '../pictures/rig.ts'
import { memoryPacketSeeds } from './packet-seeds.ts'
import { memoryPersonalData } from './personal-data.ts'

type Units = { order?: number; quantity?: number; basket?: Basket }

export type ControlRig = Awaited<ReturnType<typeof controlRig>>

/** The sale of `definition()`. */
export const phone: SaleId = saleIdOf('phone')

/** What Redis has of a sale: its counters and definition, and what orders hold. */
export type StockRecord = StockFacts & {
  /** The sale as the stock has it. */
  sale: Pick<StockFacts, 'flag' | 'version' | 'epoch' | 'startToken' | 'startsAt' | 'endsAt'>
  holds: ReadonlyMap<OrderId, Hold>
  /** The records of shoppers by their fields. */
  buyers: ReadonlyMap<string, string>
  /** The number of the last stock change. */
  change: number
}

/**
 * Empties `redis`. `clock.now` starts at noon of 2026-11-20; a sale by `definition` opens an hour later and lasts an
 * hour. There are as many databases for stock as `databaseCount`, which are one Redis here.
 */
export async function controlRig(redis: Commander, databaseCount = 1) {
  await raw(redis, 'FLUSHALL')
  const clock = { now: Date.UTC(2026, 10, 20, 12) }
  const log: string[] = []
  /** Every revision that was published to the gate, in order. */
  const published: string[] = []
  /** How often a filter of the list of sales was published. */
  const filters = { published: 0 }
  const table = memoryTable()
  const book = bookInParts({ book: table, capParts: table.capParts, random: Math.random })
  const sales = withCapsIn(table, memorySaleBook())
  const stock = testStore(redis)
  const shardCount = async (saleId: SaleId) => {
    const record = (await sales.find(saleId))?.sale ?? (await sales.findDeleted(saleId))
    return Math.max(1, record?.databases.length ?? 0)
  }
  const asked: Stocks = databaseCount === 1 ? stock : { exec: (command) => stock.exec(command), shardCount }
  /** The same without the failures of the store. */
  const stocks: Stocks = databaseCount === 1 ? redis : { exec: (command) => redis.exec(command), shardCount }
  const locks = watchLocks(redis, () => clock.now, fail)
  const gate = testStore(locks, 'the gate')
  stock.before('warm', () => log.push('stock'))
  gate.before('gate', () => log.push('gate'))
  gate.before('publish-stock', (command) => {
    const [field, revision] = command.slice(-2)
    published.push(`${field === 'soldOutRevision' ? 'sold-out' : 'restocked'} ${revision}`)
  })
  gate.after('publish-filter', (_, reply) => {
    if (Array.isArray(reply) && reply[0] === 1) filters.published += 1
  })
  const blocklist = memoryBlocklist(sales.audit)
  const earlyLists = memoryEarlyLists()
  const brands = memoryBrand(sales.audit)
  const templates = memoryTemplates(sales.audit)
  const site = memorySite()
  const queue = memoryOrderQueue()
  const provider = memoryProvider()
  const telemetry = testTelemetry()
  const claimsQueued = { count: 0 }
  const claimLetters = memoryDeadLetters()
  const deadClaims = memoryDeadClaims()
  const drawCoupons = countedCoupons()
  const put = site.put
  const logged = {
    ...site,
    put: async (object: Parameters<typeof put>[0]) => {
      await put(object)
      log.push(object.path)
    },
    create: async (object: Parameters<typeof put>[0]) => {
      await site.create(object)
      log.push(object.path)
    },
  }
  let made = 0
  const next = (what: string) => {
    made += 1
    return `${what}-${made}`
  }
  const edgeStore = memoryEdgeStore()
  const publisher = createPublisher({
    ...{ edgeStore, gate, ...telemetry },
    site: logged,
    sales,
    brands,
    stock: asked,
    templates: {
      salePage: ({ title, version }) => `<h1>${title}</h1>${version}`,
      indexPage: (sales) => sales.map(({ saleId }) => saleId).join(),
      ordersPage: ({ name }) => `orders of ${name}`,
      walletPage: ({ name }) => `wallet of ${name}`,
    },
    clock: () => clock.now,
  })
  const wait = async (milliseconds: number) => {
    clock.now += milliseconds
  }
  const personalData = memoryPersonalData()
  const { ports: pictures } = pictureRig()
  const ports: ControlRoutePorts & PersonalControlPorts = {
    deliveries: personalData.deliveries,
    contacts: personalData.contacts,
    sales,
    brands,
    templates,
    edgeStore,
    banks: memoryBanks(),
    databases: Array.from({ length: databaseCount }, (_, at) => ({
      name: at === 0 ? 'main' : `db-${at + 1}`,
      commandsPerSecond: 10_000,
    })),
    databaseNamed: () => stock,
    priceStep: stripeStep,
    auditReader: sales,
    auditTrail: { add: async (entry) => void sales.audit.push(entry) },
    ledger: table,
    paidOrders: table.paidOrders,
    releases: table.releases,
    refunds: table.refunds,
    authorisations: table.authorisations,
    payouts: table.claims.payouts,
    payoutProvider: { payOut: async () => ({ kind: 'paid' }) },
    saleOrders: table,
    orderLists: table.orderLists,
    rows: { ...table.rows, ...table.claims.rows },
    redrives: table.redrives,
    stock: asked,
    gate,
    packetSeeds: memoryPacketSeeds(),
    queue,
    queues: queue,
    deadOrders: queue,
    deadTimers: { retry: async () => ({ moved: 0, missed: 0 }) },
    claimLedger: table.claims,
    claimQueue: { depth: async () => ({ visible: claimsQueued.count, inFlight: 0, delayed: 0 }) },
    claimLetters,
    deadClaims,
    budgetStore: {
      async close(saleId, claimed, audit) {
        if (!(await table.closeBudget(saleId, claimed, audit.when))) return 'moved'
        sales.audit.push(audit)
        return 'closed'
      },
    },
    allDeadLetters: queue.deadLetters,
    deadLetters: { redrive: async () => ({ moved: 0, left: 0 }) },
    readGates: (saleIds) => readEach(gate, saleIds),
    blocklist,
    earlyLists,
    provider,
    publisher,
    shopfront: { refresh: publisher.pointer },
    newToken: () => next('token').padEnd(43, '_'),
    newId: () => next('id'),
    clock: () => clock.now,
    sleep: wait,
    every: () => () => undefined,
    ...telemetry,
  }

  /** The answer of the function that the distribution sends the request to. */
  const respond = (request: HttpRequest) => {
    switch (originOf(request.path)) {
      case 'delivery':
        return answerPersonalControl(ports, request)
      case 'pictures':
        return answerPictures(pictures, request)
      default:
        return answerControl(ports, request)
    }
  }

  const ask = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const request = requestOf('mia', method, `/api/control${path}`, body, {
      'x-shopper-roles': 'marketer',
      ...headers,
    })
    const answer = await respond(request)
    const isJson = answer.headers['content-type']?.includes('json')
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: isJson ? JSON.parse(answer.body) : answer.body,
    }
  }

  const definition = (changes: object = {}) => ({
    ...aPhone,
    saleId: 'phone',
    startsAt: clock.now + 3_600_000,
    endsAt: clock.now + 7_200_000,
    ...changes,
  })

  const create = (changes: object = {}) => ask('POST', '/sales', definition(changes))
  const act = (action: string, body?: unknown) => ask('POST', `/sales/phone/${action}`, body)
  const pointer = () => JSON.parse(site.objects.get('sales/phone/current.json')?.body ?? 'null')
  const allBytes = () => [...site.objects.values()].map(({ body }) => body).join('\n')

  const stockRecord = async (saleId = phone): Promise<StockRecord | undefined> => {
    const facts = await readStock(stocks, saleId)
    if (facts === undefined) return undefined
    const holds = new Map<OrderId, Hold>()
    for await (const page of holdPages(stocks, saleId, 1000)) {
      for (const { orderId, ...hold } of page) holds.set(orderId, hold)
    }
    const keys = stockKeys(saleId)
    const fields = pairs(await raw(redis, 'HGETALL', keys.stock), 'stock').toSorted()
    const buyers = new Map(fields.filter(([field]) => field.startsWith('@')))
    const { flag, version, epoch, startToken, startsAt, endsAt } = facts
    const sale = { flag, version, epoch, startToken, startsAt, endsAt }
    // A tag is new with every change, so two equal stocks have different ones.
    const change = Number(await raw(redis, 'HGET', keys.stock, 'change'))
    return { ...facts, tag: '', sale, holds, buyers, change }
  }

  /** What the gate has of a sale. */
  const facts = (saleId = phone) => readGate(redis, saleId)

  /** The last count of a stock that the gate has, with the ratio it follows. */
  const truth = async (saleId = phone) => {
    const known = await readAdmissions(redis, saleId)
    const ratio = Number(await raw(redis, 'HGET', admissionsKey(saleId), 'ratio')) / 1000
    return known && { ...known, ratio }
  }

  /** The messages in the outbox. */
  const waiting = async (saleId = phone): Promise<OrderMessage[]> =>
    (await waitingIn(stocks, saleId)).map(({ body }) => JSON.parse(body))

  /** Redis restarts without a file: no sale has a stock. */
  const loseStock = async () => {
    const keys = listOf(await raw(redis, 'KEYS', 'stock:*'))
    if (keys.length > 0) await raw(redis, 'DEL', ...keys)
  }

  /** Redis falls back to a replica that missed the reservation of `orderId`. */
  const forget = async (orderId: OrderId, saleId = phone) => {
    const hold = (await readHolds(redis, saleId, new Set([orderId]))).get(orderId)
    if (hold === undefined) throw new Error(`${orderId} is not held`)
    const keys = stockKeys(saleId)
    await raw(redis, 'HDEL', keys.stock, shopperField(hold.shopperId))
    await raw(redis, 'HINCRBY', keys.stock, 'left', String(hold.quantity))
    for (const [id, units] of Object.entries(hold.basket ?? {})) {
      await raw(redis, 'HINCRBY', keys.stock, `left/${id}`, String(units))
    }
  }

  /** Redis loses the record of every shopper. */
  const forgetHolds = async (saleId = phone) => {
    const there = await stockRecord(saleId)
    if (there === undefined) throw new Error('there is no stock')
    const { stock: key } = stockKeys(saleId)
    const fields = [...there.buyers.keys()]
    if (fields.length > 0) await raw(redis, 'HDEL', key, ...fields)
    await raw(redis, 'HINCRBY', key, 'left', String(there.booked - there.heldBack))
  }

  /** Keeps the current stock; the returned function restores it. */
  const keepStock = async (saleId = phone) => {
    const keys = Object.values(stockKeys(saleId))
    for (const key of keys) await raw(redis, 'COPY', key, `copy:${key}`, 'REPLACE')
    return async () => {
      for (const key of keys) {
        if ((await raw(redis, 'COPY', `copy:${key}`, key, 'REPLACE')) === 0) await raw(redis, 'DEL', key)
      }
    }
  }

  /** The gate's store forgets every sale. */
  const loseGate = async () => {
    const known = listOf(await raw(redis, 'KEYS', 'gate:*'))
    const keys = known.filter((key) => !key.startsWith('gate:{-}'))
    if (keys.length > 0) await raw(redis, 'DEL', ...keys)
  }

  /** The gate's store loses the list of sales and its filter. */
  const loseList = async () => {
    const { sales: listed, filter, versions } = sharedListKeys
    await raw(redis, 'DEL', listed, filter, versions)
  }

  const mayHold = async (saleId: string) => {
    const filter = await readFilter(redis)
    return filter && openSaleFilter(filter)?.mayHold(saleId)
  }

  /** Shopper number `shopper` reserves; the message stays in the outbox, as after a crash of the function. */
  const reserve = async (shopper: number, units: Units = {}): Promise<OrderId> => {
    const { order = 1, basket, quantity = basket ? basketUnits(basket) : 1 } = units
    const orderId = orderIdOf(phone, shopper, order)
    const sale = (await sales.find(phone))?.sale
    const reservation = await reserveUnits(stocks, {
      orderId,
      saleId: phone,
      shopperId: shopperIdOf(shopper),
      quantity,
      basket,
      startToken: sale?.startToken ?? '',
      now: clock.now,
      requestId: 'request',
    })
    if (reservation.kind !== 'reserved') throw new Error(`shopper ${shopper} got ${reservation.kind}`)
    if (reservation.remaining !== -1) {
      await completeAdmissions(redis, phone, { seconds: [], seen: reservation, now: clock.now })
    }
    return orderId
  }

  /** The same, and the message is sent. */
  const buy = async (shopper: number, units: Units = {}): Promise<OrderId> => {
    const orderId = await reserve(shopper, units)
    const message = (await waiting()).find((one) => one.orderId === orderId)
    if (message !== undefined) await queue.sendAll([message])
    await acknowledgeOrders(stocks, phone, [{ orderId, shopperId: shopperIdOf(shopper) }])
    return orderId
  }

  /** The writer processes everything in the queue. */
  const deliver = async (): Promise<void> => {
    const sale = (await sales.find(phone))?.sale
    if (sale === undefined) throw new Error('there is no sale to write orders of')
    for (const message of queue.messages.splice(0)) {
      const order = newOrder(message, sale, clock.now, drawCoupons)
      const entry = { order, messageIds: ['m'], limit: sale.limitPerShopper, capped: sale.stock !== -1 }
      await commitChunk({ book, clock: () => clock.now, sleep: wait, ...telemetry }, [entry], clock.now + 1)
      await acknowledgeOrders(stocks, phone, [message])
    }
  }

  /** Sells one unit to each of shoppers 1 to `count`, all written. */
  const sell = async (count: number): Promise<OrderId[]> => {
    const orderIds: OrderId[] = []
    for (let shopper = 1; shopper <= count; shopper += 1) orderIds.push(await buy(shopper))
    await deliver()
    return orderIds
  }

  const open = async (changes: object = {}) => {
    await create(changes)
    return act('start', { now: true })
  }

  return {
    ports,
    personalData,
    respond,
    clock,
    log,
    sales,
    table,
    redis,
    stock,
    gate,
    published,
    filters,
    stockRecord,
    facts,
    truth,
    waiting,
    loseStock,
    forget,
    forgetHolds,
    keepStock,
    loseGate,
    loseList,
    mayHold,
    lockHolder: (saleId = phone) => locks.holder(lockKey(saleId)),
    claimsQueued,
    claimLetters,
    deadClaims,
    blocklist,
    earlyLists,
    site,
    edgeStore,
    queue,
    provider,
    telemetry,
    ask,
    create,
    open,
    act,
    definition,
    pointer,
    allBytes,
    reserve,
    buy,
    deliver,
    sell,
  }
}

/** The gate's facts of `saleIds`, read one after the other. */
export async function readEach(gate: Commander, saleIds: readonly SaleId[]): Promise<Map<SaleId, GateFacts>> {
  const found = new Map<SaleId, GateFacts>()
  for (const saleId of saleIds) {
    const facts = await readGate(gate, saleId)
    if (facts !== undefined) found.set(saleId, facts)
  }
  return found
}

function fail(what: string): never {
  throw new Error(what)
}

const listOf = (reply: unknown): string[] => (Array.isArray(reply) ? reply.map(String) : [])

function memoryOrderQueue() {
  const light = outage('SQS')
  const messages: OrderMessage[] = []
  /** Order ids that the queue never accepts. */
  const refused = new Set<string>()
  const dead: OrderMessage[] = []
  /** Order ids whose dead letters are not redriven automatically. */
  const hopeless = new Set<string>()
  return {
    ...light,
    messages,
    refused,
    dead,
    hopeless,
    orders: async () => {
      light.pass()
      return { visible: messages.length, inFlight: 0, delayed: 0 }
    },
    deadLetters: async () => {
      light.pass()
      return dead.length
    },
    units: async () => {
      light.pass()
      return new Map(
        dead.map(({ orderId, shopperId, quantity, basket }) => {
          return [orderId, { shopperId, quantity, ...(basket && { basket }) }]
        }),
      )
    },
    retry: async (_deadline: number, before: BeforeRedrive) => {
      light.pass()
      if (dead.length > 0) await before(new Set(dead.map(({ saleId }) => saleId)))
      const hopeful = dead.filter(({ orderId }) => !hopeless.has(orderId))
      messages.push(...hopeful)
      dead.splice(0, dead.length, ...dead.filter((message) => !hopeful.includes(message)))
      return { moved: hopeful.length, missed: 0 }
    },
    sendAll: async (sent: readonly OrderMessage[]) =>
      sent.map((message) => {
        try {
          light.pass()
        } catch (cause) {
          return new Error('SQS did not take the batch', { cause })
        }
        if (refused.has(message.orderId)) return new Error('SQS refused the message')
        messages.push(message)
        return undefined
      }),
  }
}

/** Dead letters of claims; none is redriven automatically. */
function memoryDeadClaims() {
  const dead: ClaimMessage[] = []
  return {
    dead,
    claims: async () => dead,
    retry: async () => ({ moved: 0, missed: 0 }),
  }
}

function memoryProvider() {
  const light = outage('the provider')
  const { settled, calls } = settledMoney(light.pass)
  const asked: (PaymentMoney & { orderId: string })[] = []
  return {
    ...light,
    asked,
    settled,
    ...calls,
    refund: async (refund: PaymentMoney & { orderId: string }) => {
      light.pass()
      asked.push(refund)
    },
  }
}

/** The function that the distribution sends a path to. */
function originOf(path: string): string | undefined {
  const matches = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll('.', '[.]').replaceAll('*', '.*')}$`).test(path)
  return apiBehaviours.find(({ pattern }) => matches(pattern))?.origin
}
