/**
 * The whole system behind `/api/control` in memory: sales and orders in one table, Redis, the gate, the queue, the
 * provider of payments and the public objects, on a clock that the test moves.
 */
import type { ClaimMessage } from '../../../core/claim.ts'
import type { OrderId, SaleId } from '../../../core/ids.ts'
import type { RefundWish } from '../../../core/order-life.ts'
import type { OrderMessage } from '../../../core/order-message.ts'
import { answerControl } from '../../../functions/control/http.ts'
import type { Ports } from '../../../functions/control/routes.ts'
import { commitChunk } from '../../../functions/orders/commit.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import type { BeforeRedrive } from '../../../functions/repair/ports.ts'
import type { Ports as ReconcilePorts } from '../../../functions/repair/reconcile.ts'
import { createPublisher } from '../../../functions/sales/publishing/publisher.ts'
import type { GateBatchReader, GateReader, GateSnapshot } from '../../../functions/sales/snapshots.ts'
import { memoryBlocklist, memoryBlockNotices } from '../../../simulation/memory/blocklist.ts'
import { countedCoupons } from '../../../simulation/memory/counted-coupons.ts'
import { memoryTable } from '../../../simulation/memory/order-table.ts'
import { outage } from '../../../simulation/memory/outage.ts'
import { memorySaleBook } from '../../../simulation/memory/sale-book.ts'
import { withCapsIn } from '../../../simulation/memory/shared-cap.ts'
import { memorySite } from '../../../simulation/memory/site.ts'
import { requestOf, testTelemetry } from '../../../simulation/memory/support.ts'
import { memoryCatalogue } from '../../contract/fakes/catalogue.ts'
import { memoryDeadLetters } from '../../contract/fakes/dead-letters.ts'
import { noClaims } from '../../contract/fakes/held-claims.ts'
import { memoryHoldings } from '../../contract/fakes/holdings.ts'
import { memoryLocks } from '../../contract/fakes/locks.ts'
import { memoryOutbox } from '../../contract/fakes/outbox.ts'
import { memoryPacketSeeds, memoryPacketStock } from '../../contract/fakes/packet-stock.ts'
import { orderIdOf, saleIdOf, shopperIdOf } from '../../redis/support.ts'
import { memoryGate, memoryRedis } from './support.ts'

export type ControlRig = ReturnType<typeof controlRig>

/** One request for all of them, as the real reader makes it. */
const batchOf = ({ read }: GateReader): GateBatchReader => ({
  async read(saleIds) {
    const found = new Map<SaleId, GateSnapshot>()
    for (const saleId of saleIds) {
      const told = await read(saleId)
      if (told !== undefined) found.set(saleId, told)
    }
    return found
  },
})

/** The sale of `definition()`. */
export const phone: SaleId = saleIdOf('phone')

/** `clock.now` starts at noon of 2026-11-20; a sale by `definition` opens an hour later and lasts an hour. */
export function controlRig() {
  const clock = { now: Date.UTC(2026, 10, 20, 12) }
  const log: string[] = []
  const table = memoryTable()
  const sales = withCapsIn(table, memorySaleBook())
  const redis = memoryRedis(log)
  const gate = memoryGate(log)
  const catalogue = memoryCatalogue()
  const blocklist = memoryBlocklist(sales.audit)
  const blockNotices = memoryBlockNotices()
  const site = memorySite()
  const queue = memoryOrderQueue()
  const provider = memoryProvider()
  const locks = memoryLocks(() => clock.now)
  const telemetry = testTelemetry()
  const holdings = memoryHoldings(redis.stock)
  const claimsQueued = { count: 0 }
  const claimLetters = memoryDeadLetters()
  const deadClaims = memoryDeadClaims()
  const packetStock = memoryPacketStock((saleId) => redis.stock.records.get(saleId)?.total)
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
  const publisher = createPublisher({
    site: logged,
    sales,
    stock: { of: redis.read },
    templates: {
      salePage: ({ title, version }) => `<h1>${title}</h1>${version}`,
      indexPage: (sales) => sales.map(({ saleId }) => saleId).join(),
    },
    clock: () => clock.now,
  })
  const wait = async (milliseconds: number) => {
    clock.now += milliseconds
  }
  const ports: Ports & ReconcilePorts = {
    sales,
    auditReader: sales,
    auditTrail: { add: async (entry) => void sales.audit.push(entry) },
    ledger: table,
    paidOrders: table.paidOrders,
    releases: table.releases,
    refunds: table.refunds,
    saleOrders: table,
    couponOrders: table.couponOrders,
    redrives: table.redrives,
    outbox: memoryOutbox(redis.stock),
    holds: {
      find: async (orderId) => redis.stock.records.get(phone)?.holds.get(orderId),
    },
    holdings,
    packetStock,
    stock: redis,
    packetSeeds: memoryPacketSeeds(),
    stockReader: redis,
    queue,
    queues: queue,
    deadOrders: queue,
    deadTimers: { retry: async () => ({ moved: 0, missed: 0 }) },
    claims: noClaims(),
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
    gate,
    gateReader: gate,
    gateBatchReader: batchOf(gate),
    admissionsReader: gate.admissionsReader,
    catalogue,
    blocklist,
    blockNotices,
    locks,
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

  const ask = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const request = requestOf('mia', method, `/api/control${path}`, body, {
      'x-shopper-roles': 'marketer',
      ...headers,
    })
    const answer = await answerControl(ports, request)
    const isJson = answer.headers['content-type']?.includes('json')
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: isJson ? JSON.parse(answer.body) : answer.body,
    }
  }

  const definition = (changes: object = {}) => ({
    saleId: 'phone',
    kind: 'goods',
    title: 'A phone',
    description: 'One of ten.',
    image: '/assets/phone.svg',
    price: 10,
    currency: 'CNY',
    stock: 10,
    limitPerShopper: 2,
    maxPerOrder: 2,
    startsAt: clock.now + 3_600_000,
    endsAt: clock.now + 7_200_000,
    ...changes,
  })

  const create = (changes: object = {}) => ask('POST', '/sales', definition(changes))
  const act = (action: string, body?: unknown) => ask('POST', `/sales/phone/${action}`, body)
  const pointer = () => JSON.parse(site.objects.get('sales/phone/current.json')?.body ?? 'null')
  const allBytes = () => [...site.objects.values()].map(({ body }) => body).join('\n')

  /** Shopper number `shopper` reserves; the message stays in the outbox, as when the function died then. */
  const reserve = async (shopper: number, { order = 1, quantity = 1 } = {}): Promise<OrderId> => {
    const orderId = orderIdOf(phone, shopper, order)
    const sale = (await sales.find(phone))?.sale
    const reservation = await redis.stock.take({
      orderId,
      saleId: phone,
      shopperId: shopperIdOf(shopper),
      quantity,
      startToken: sale?.startToken ?? '',
      now: clock.now,
      requestId: 'request',
    })
    if (reservation.kind !== 'reserved') throw new Error(`shopper ${shopper} was told ${reservation.kind}`)
    gate.hear(phone, reservation.booked)
    return orderId
  }

  /** The same, and the message is sent. */
  const buy = async (
    shopper: number,
    units: { order?: number; quantity?: number } = {},
  ): Promise<OrderId> => {
    const orderId = await reserve(shopper, units)
    const message = redis.stock.waiting(phone).find((waiting) => waiting.orderId === orderId)
    if (message !== undefined) await queue.sendAll([message])
    await redis.stock.acknowledge(phone, orderId)
    return orderId
  }

  /** The writer takes all that is in the queue. */
  const deliver = async (): Promise<void> => {
    const sale = (await sales.find(phone))?.sale
    if (sale === undefined) throw new Error('there is no sale to write orders of')
    for (const message of queue.messages.splice(0)) {
      const order = newOrder(message, sale, clock.now, drawCoupons)
      const entry = { order, messageIds: ['m'], limit: sale.limitPerShopper, capped: sale.stock !== -1 }
      await commitChunk(
        { book: table, clock: () => clock.now, sleep: wait, ...telemetry },
        [entry],
        clock.now + 1,
      )
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
    clock,
    log,
    sales,
    table,
    redis,
    holdings,
    packetStock,
    claimsQueued,
    claimLetters,
    deadClaims,
    gate,
    catalogue,
    blocklist,
    blockNotices,
    site,
    queue,
    provider,
    locks,
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

function memoryOrderQueue() {
  const light = outage('SQS')
  const messages: OrderMessage[] = []
  /** Order ids that the queue never takes. */
  const refused = new Set<string>()
  const dead: OrderMessage[] = []
  /** Order ids whose dead letters are not sent again by themselves. */
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
      return new Map(dead.map(({ orderId, quantity }) => [orderId, quantity]))
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

/** Dead letters of claims; none is sent again by itself. */
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
  const asked: (RefundWish & { orderId: string })[] = []
  return {
    ...light,
    asked,
    refund: async (refund: RefundWish & { orderId: string }) => {
      light.pass()
      asked.push(refund)
    },
  }
}
