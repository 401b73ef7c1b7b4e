/**
 * The system in one process, on a clock that the test advances. Redis is real; the table, the public objects, the
 * queues and the payment provider are in-memory fakes with the rules of the real ones (test/contract). Every part
 * records its calls and fails on command. A test uses the parts that it needs.
 */
import { randomBytes } from 'node:crypto'
import { beforeEach, expect } from 'vitest'
import { openSaleFilter } from '../../core/gate/sale-filter.ts'
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import { budgetOf } from '../../core/packets/packets.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { picturesApp } from '../../functions/control/pictures.ts'
import { type ControlRoutePorts, controlApp } from '../../functions/control/routes.ts'
import { optionHandlers } from '../../functions/entries/option-handlers.ts'
import type { HandlerPorts, HandlersSeam } from '../../functions/entries/seams.ts'
import type { HttpApp } from '../../functions/lib/http/app.ts'
import { NotReadable } from '../../functions/lib/http/public-http.ts'
import type { ShopContext } from '../../functions/lib/shop/shop.ts'
import { capPartWriter } from '../../functions/orders/cap-part-writer.ts'
import { changeOrder } from '../../functions/orders/change-orders.ts'
import { newOrder } from '../../functions/orders/new-order.ts'
import type { PayPorts } from '../../functions/orders/pay.ts'
import { stripeLimits } from '../../functions/orders/payments/stripe-currency.ts'
import type { ListPorts } from '../../functions/orders/read-orders.ts'
import { commitChunk } from '../../functions/orders/write-orders.ts'
import { type PersonalControlPorts, personalControlApp } from '../../functions/people/personal-data-routes.ts'
import { reconcile } from '../../functions/repair/reconcile.ts'
import { createPublisher } from '../../functions/sales/publishing/publisher.ts'
import { fullShopfront } from '../../functions/sales/publishing/shopfront.ts'
import { withCouponEntries } from '../../functions/table/orders/coupon-orders.ts'
import { withOrderNumbers } from '../../functions/table/orders/order-numbers.ts'
import { findDeletedSale, findSale, saveSale } from '../../functions/table/sale/sales.ts'
import { countedCoupons } from '../../proof/simulation/parts/coupons.ts'
import { watchLocks } from '../../proof/simulation/parts/locks.ts'
import { answerTo, forwardedRequest, type HttpRequest } from '../../proof/simulation/parts/requests.ts'
import { memoryEdgeStore } from '../../proof/simulation/parts/site.ts'
import { personalData } from '../../proof/simulation/shared-ports.ts'
import { reserve as reserveUnits } from '../../redis/buy/reserve.ts'
import type { Commander, Stocks } from '../../redis/command.ts'
import { completeAdmissions } from '../../redis/gate/complete-admissions.ts'
import { readGate } from '../../redis/gate/gate.ts'
import { readAdmissions } from '../../redis/gate/replenish.ts'
import { readFilter } from '../../redis/gate/shared-lists.ts'
import { admissionsKey, lockKey } from '../../redis/keys.ts'
import { acknowledgeOrders } from '../../redis/orders/outbox.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { apiBehaviours } from '../../system/behaviours.ts'
import { pictureRig } from '../functions/control/picture-rig.ts'
import { aPhone, orderIdOf, raw, shopperIdOf, waitingIn } from '../redis/support.ts'
import { testStore, useRedis } from '../redis/test-store.ts'
import { losses } from './losses.ts'
import { switchableSite } from './site.ts'
import { memoryOrderQueue, memoryProvider } from './stand-ins.ts'
import { phone, readStockRecord } from './stock-record.ts'
import { worldTable } from './table.ts'
import { testTelemetry } from './telemetry.ts'

type Units = { order?: number; quantity?: number; variant?: string }

/** A tuple of `Count` ids, or an array when `Count` is not a literal. */
export type OrderIds<Count extends number, Ids extends OrderId[] = []> = number extends Count
  ? OrderId[]
  : Ids['length'] extends Count
    ? Ids
    : OrderIds<Count, [...Ids, OrderId]>

export type World = Awaited<ReturnType<typeof world>>

/** Options of a world; every part has a default. */
export type WorldOptions = {
  /** The stock and the gate's store. Without it a world has neither: its tests use only the table. */
  redis?: Commander
  /** Databases for stock, which are one Redis here. */
  databases?: number
  /** Sales that are warmed and open from the start; others are created over the control API. */
  sales?: readonly Sale[]
  /** The first time of the clock. */
  now?: number
  /** The handlers of one option instead of all. */
  handlers?: HandlersSeam['routes']
}

/** Noon. */
const defaultNow = Date.UTC(2026, 10, 20, 12)

const noRedis: Commander = {
  exec: async ([name]) => fail(`this world has no Redis for ${name}`),
}

/** Creates a world for each test of a file or of a `describe`, with a Redis unless the options name one. */
export function useWorld({ redis = useRedis(), ...options }: Omit<WorldOptions, 'now'> = {}): World {
  // Its members belong to the running test.
  const rig = {} as World
  beforeEach(async () => {
    Object.assign(rig, await world({ redis, ...options }))
  })
  return rig
}

/** Creates a world with an empty Redis. A sale by `definition` opens an hour after the first time and lasts an hour. */
export async function world(options: WorldOptions = {}) {
  const { redis = noRedis, databases: databaseCount = 1, sales: given = [], now = defaultNow } = options
  if (options.redis !== undefined) await raw(redis, 'FLUSHALL')
  const clock = { now }
  /** Whole milliseconds, although functions wait for parts of one. */
  const shown = () => Math.floor(clock.now)
  const log: string[] = []
  /** Every revision that was published to the gate, in order. */
  const published: string[] = []
  /** Number of published filters of the list of sales. */
  const filters = { published: 0 }
  const table = worldTable()
  const { audit } = table
  const inParts = capPartWriter({ writer: table.book, table: table.table, random: Math.random })
  const writer = withOrderNumbers(table.table, withCouponEntries(table.table, inParts))
  const stock = testStore(redis)
  const shardCount = async (saleId: SaleId) => {
    const record = (await findSale(table, saleId))?.sale ?? (await findDeletedSale(table, saleId))
    return Math.max(1, record?.databases.length ?? 0)
  }
  const asked: Stocks = databaseCount === 1 ? stock : { exec: (command) => stock.exec(command), shardCount }
  /** The stock without the failures of the store. */
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
  const site = switchableSite()
  const queue = memoryOrderQueue()
  const provider = memoryProvider()
  const telemetry = testTelemetry()
  /** Waits of the functions, which end at once. */
  const pauses: number[] = []
  /** The sales whose pointers were refreshed after a change of their stock. */
  const refreshed: SaleId[] = []
  /** The sales for which `reconcile` was woken. */
  const woken: { saleId: SaleId; begins: boolean }[] = []
  const makeCoupons = countedCoupons()
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
    table: table.table,
    stock: asked,
    templates: {
      salePage: ({ title, version }) => `<h1>${title}</h1>${version}`,
      indexPage: (sales) => sales.map(({ saleId }) => saleId).join(),
      stablePage: (page, { name }) => `${page} of ${name}`,
    },
    clock: shown,
  })
  const wait = async (milliseconds: number) => {
    pauses.push(milliseconds)
    clock.now += milliseconds
  }
  const offers = {
    find: async (saleId: SaleId): Promise<Sale | undefined> => (await findSale(table, saleId))?.sale,
    async findMany(saleIds: readonly SaleId[]): Promise<Map<SaleId, Sale>> {
      const found: (Sale | undefined)[] = await Promise.all(saleIds.map(offers.find))
      return new Map(found.flatMap((sale) => (sale === undefined ? [] : [[sale.saleId, sale] as const])))
    },
  }
  const { ports: pictures } = pictureRig()
  /** JSON documents of other companies by URL. */
  const documents = new Map<string, unknown>()
  const ports: ControlRoutePorts &
    PersonalControlPorts &
    HandlerPorts &
    PayPorts &
    ListPorts &
    Pick<ShopContext, 'site'> = {
    ...personalData(shown),
    offers,
    site: logged,
    edgeStore,
    databases: async () =>
      Array.from({ length: databaseCount }, (_, at) => ({
        name: at === 0 ? 'main' : `db-${at + 1}`,
        commandsPerSecond: 10_000,
      })),
    databaseNamed: async () => stock,
    chargeLimits: stripeLimits,
    hasCheckout: true,
    allowsLoopback: true,
    sendsMails: false,
    keepMs: 180 * 24 * 3_600_000,
    signReservation: async ({ orderId }) => `reservation of ${orderId}`,
    table: table.table,
    stock: asked,
    gate,
    paymentPagesPerSecond: 1000,
    randomBytes,
    orderQueue: queue,
    deadOrders: queue,
    deadTimers: { retry: async () => ({ moved: 0, missed: 0 }) },
    allDeadLetters: queue.deadLetters,
    deadLetters: { redrive: async () => ({ moved: 0, left: 0 }) },
    provider,
    publisher,
    shopfront: {
      async refresh(saleId) {
        refreshed.push(saleId)
        if (options.redis !== undefined) await fullShopfront(publisher).refresh(saleId)
      },
    },
    readPublicJson: async (url) => {
      if (documents.has(url)) return documents.get(url)
      throw new NotReadable('it cannot be reached (ENOTFOUND)')
    },
    newToken: () => next('token').padEnd(43, '_'),
    newId: () => next('id'),
    clock: shown,
    sleep: wait,
    every: () => () => undefined,
    wake: async (saleId, begins = false) => void woken.push({ saleId, begins }),
    ...telemetry,
  }

  for (const sale of given) await begin(sale)

  /** Adds `sale` to the system, with its stock and its cap. */
  async function begin(sale: Sale): Promise<void> {
    await table.begin(sale)
    if (options.redis !== undefined) await warmStock(redis, sale)
  }

  const apps: Readonly<Record<string, HttpApp>> = {
    delivery: personalControlApp(
      ports,
      options.handlers?.(ports, {}) ?? optionHandlers(ports, { SITE_BUCKET: 'site' }).ofStaff,
    ),
    pictures: picturesApp(pictures),
  }
  const controlled = controlApp(ports)

  /** Sends the request to the function that the distribution chooses. */
  const respond = (request: HttpRequest) => answerTo(apps[originOf(request.path) ?? ''] ?? controlled, request)

  const ask = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const request = forwardedRequest('mia', method, `/api/control${path}`, body, {
      'x-shopper-roles': 'marketer',
      ...headers,
    })
    const answer = await respond(request)
    const isJson = answer.headers['content-type']?.includes('json')
    // The text of an answer has no byte order mark, as with `fetch`.
    const read = isJson ? JSON.parse(answer.body) : answer.body.replace(/^\ufeff/, '')
    return { status: answer.statusCode, headers: answer.headers, body: read }
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

  const stockRecord = (saleId = phone) => readStockRecord(redis, stocks, saleId)

  /** Reads the record of the sale `phone`. */
  const record = async () => {
    const found = await findSale(table, phone)
    if (found === undefined) throw new Error('the sale is gone')
    return found
  }
  const sale = async () => (await record()).sale
  /** Changes settings of the sale directly in the table. */
  const change = async (changes: Partial<Sale>): Promise<Sale> => {
    const { revision, finishedStockChanges, sale: before } = await record()
    const changed = { ...before, ...changes }
    await saveSale(table, revision, { sale: changed, finishedStockChanges })
    return changed
  }
  const booked = async () => (await stockRecord())?.booked
  /** The orders that hold units in Redis, in the order of their ids. */
  const held = async () => [...((await stockRecord())?.holds.keys() ?? [])].toSorted()
  const live = async () => (await ask('GET', '/sales/phone/live')).body

  /** Runs `reconcile` with its default limits; `full` compares every hold. */
  const reconcileNow = (full = false) => reconcile(ports, { minAgeMs: 0, holdAgeMs: 900_000, full }, clock.now + 25_000)

  const facts = (saleId = phone) => readGate(redis, saleId)

  /** Reads the gate's last count of the stock, and its admission ratio. */
  const truth = async (saleId = phone) => {
    const known = await readAdmissions(redis, saleId)
    const ratio = Number(await raw(redis, 'HGET', admissionsKey(saleId), 'ratio')) / 1000
    return known && { ...known, ratio }
  }

  /** The messages in the outbox. */
  const waiting = async (saleId = phone): Promise<OrderMessage[]> =>
    (await waitingIn(stocks, saleId)).map(({ body }) => JSON.parse(body))

  const mayHold = async (saleId: string) => {
    const filter = await readFilter(redis)
    return filter && openSaleFilter(filter)?.mayHold(saleId)
  }

  /** Shopper number `shopper` reserves; the message stays in the outbox, as after a crash of the function. */
  const reserve = async (shopper: number, units: Units = {}): Promise<OrderId> => {
    const { order = 1, variant, quantity = 1 } = units
    const orderId = orderIdOf(phone, shopper, order)
    const sale = (await findSale(table, phone))?.sale
    const reservation = await reserveUnits(stocks, {
      orderId,
      saleId: phone,
      shopperId: shopperIdOf(shopper),
      quantity,
      variant,
      startToken: sale?.startToken ?? '',
      now: clock.now,
      requestId: 'request',
      byGate: true,
    })
    if (reservation.kind !== 'reserved') throw new Error(`shopper ${shopper} got ${reservation.kind}`)
    if (reservation.remaining !== -1) {
      await completeAdmissions(redis, phone, { seconds: [], seen: reservation, now: clock.now })
    }
    return orderId
  }

  /** Reserves, sends the message, and removes it from the outbox. */
  const buy = async (shopper: number, units: Units = {}): Promise<OrderId> => {
    const orderId = await reserve(shopper, units)
    const message = (await waiting()).find((one) => one.orderId === orderId)
    if (message !== undefined) await queue.sendAll([message])
    await acknowledgeOrders(stocks, phone, [{ orderId, shopperId: shopperIdOf(shopper) }])
    return orderId
  }

  /** The writer processes everything in the queue. */
  const deliver = async (): Promise<void> => {
    const sale = (await findSale(table, phone))?.sale
    if (sale === undefined) throw new Error('there is no sale to write orders of')
    for (const message of queue.messages.splice(0)) {
      const order = newOrder(message, sale, clock.now, makeCoupons)
      const entry = {
        ...{ order, messageIds: ['m'], limit: sale.limitPerShopper, capped: sale.stock !== -1 },
        budget: order.packet && budgetOf(sale),
      }
      await commitChunk({ writer, clock: shown, sleep: wait, ...telemetry }, [entry], clock.now + 1)
      await acknowledgeOrders(stocks, phone, [message])
    }
  }

  /** Sells one unit to each of shoppers 1 to `count`, all written. */
  const sell = async <Count extends number>(count: Count): Promise<OrderIds<Count>> => {
    const orderIds: OrderId[] = []
    for (let shopper = 1; shopper <= count; shopper += 1) orderIds.push(await buy(shopper))
    await deliver()
    return orderIds as OrderIds<Count>
  }

  /** Shoppers 1 to 5 buy the ten units of a sale, all written. */
  const sellOut = async (): Promise<void> => {
    for (let shopper = 1; shopper <= 5; shopper += 1) await buy(shopper, { quantity: 2 })
    await deliver()
  }

  const cancel = (orderId: OrderId, by: Parameters<typeof changeOrder>[0] = ports) =>
    changeOrder(by, orderId, { kind: 'cancelled-by-shopper' })

  /** The provider reports that the order is paid for. */
  const pay = async (orderId: OrderId) => {
    const { amount = 0, currency = '' } = (await table.find(orderId)) ?? {}
    return changeOrder(ports, orderId, { kind: 'payment-succeeded', paymentId: `${orderId}.1`, amount, currency })
  }

  /** Runs each of `acts` while the part is unavailable; each must fail. */
  const without = async (part: 'stock' | 'gate', ...acts: (() => Promise<unknown>)[]): Promise<void> => {
    const switchable = { stock, gate }[part]
    switchable.goDown()
    for (const cutOff of acts) await expect(cutOff()).rejects.toThrow(/unavailable/)
    switchable.comeUp()
  }

  const open = async (changes: object = {}) => {
    await create(changes)
    return act('start', { now: true })
  }

  /** Creates a sale in these windows, and starts it for their times. */
  const openWindows = async (windows: readonly object[], changes: object = {}) => {
    const { startsAt, endsAt, stock, ...sale } = definition({ windows, ...changes })
    await ask('POST', '/sales', sale)
    return ask('POST', `/sales/${sale.saleId}/start`)
  }

  return {
    ports,
    documents,
    offers,
    pauses,
    refreshed,
    woken,
    book: writer,
    stocks,
    makeCoupons,
    begin,
    respond,
    clock,
    log,
    audit,
    table,
    redis,
    stock,
    gate,
    published,
    filters,
    stockRecord,
    record,
    sale,
    change,
    booked,
    held,
    live,
    reconcile: reconcileNow,
    facts,
    truth,
    waiting,
    ...losses({ redis, stockRecord }),
    mayHold,
    lockHolder: (saleId = phone) => locks.holder(lockKey(saleId)),
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
    sellOut,
    cancel,
    pay,
    without,
    openWindows,
  }
}

function fail(what: string): never {
  throw new Error(what)
}

/** The function that the distribution sends a path to. */
function originOf(path: string): string | undefined {
  const matches = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll('.', '[.]').replaceAll('*', '.*')}$`).test(path)
  return apiBehaviours.find(({ pattern }) => matches(pattern))?.origin
}
