import { beforeEach, describe, expect, it, vi } from 'vitest'
import { shardNumberOf } from '../../../core/stock/hash-slot.ts'
import { type RequestAdmission, withReport } from '../../../functions/buy/dispatch-order.ts'
import { type PurchaseInput, purchase, type ReservePorts } from '../../../functions/buy/reserve.ts'
import type { AdmissionCompleter } from '../../../functions/lib/acknowledge.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { acknowledge, claimDue } from '../../../redis/orders/outbox.ts'
import { readStock, removeStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { type MemoryQueue, memoryQueue } from '../../contract/fakes/queue.ts'
import { aSale, aSaleOfVariants, raw, shopperIdOf, waitingIn } from '../../redis/support.ts'
import { type TestStore, testStore, useRedis } from '../../redis/test-store.ts'
import { type TestTelemetry, testTelemetry } from '../../world/telemetry.ts'

type Completed = Parameters<AdmissionCompleter['complete']>

let stock: TestStore
let queue: MemoryQueue
let telemetry: TestTelemetry
let published: number[]
let completed: Completed[]
let demanded: string[]
let ports: ReservePorts
const sale = aSale({ stock: 3 })

const redis = useRedis()

beforeEach(async () => {
  stock = testStore(redis)
  await warmStock(redis, sale)
  queue = memoryQueue()
  telemetry = testTelemetry()
  published = []
  const soldOut = { publish: async (_: unknown, stockRevision: number) => void published.push(stockRevision) }
  completed = []
  const admissions = { complete: async (...completion: Completed) => void completed.push(completion) }
  demanded = []
  ports = {
    stock,
    demand: { count: (saleId, outcome) => void demanded.push(`${saleId} ${outcome}`) },
    queue,
    soldOut,
    admissions,
    clock: () => 5_000,
    ...telemetry,
  }
})

const waiting = () => waitingIn(redis, sale.saleId)
const booked = async () => (await readStock(redis, sale.saleId))?.booked

function wish(shopper: number, changes: Partial<PurchaseInput> = {}): PurchaseInput {
  return {
    saleId: sale.saleId,
    shopperId: shopperIdOf(shopper),
    quantity: 1,
    startToken: sale.startToken ?? '',
    key: undefined,
    requestId: 'request-1',
    ...changes,
  }
}

function buy(wanted: PurchaseInput, click: RequestAdmission = { saleId: wanted.saleId, admission: 1_800_000_000 }) {
  return withReport(ports, click, (run) => purchase(ports, { ...click, run }, wanted))
}

describe('reserve', () => {
  it('keeps the order in the outbox when SQS is unavailable, and reports to the gate itself (O4, I2, G7)', async () => {
    queue.goDown()
    const { orderId, reservation } = await buy(wish(1))
    expect(reservation.kind).toBe('reserved')
    expect((await waiting()).map(({ orderId }) => orderId)).toEqual([orderId])
    expect(telemetry.counted('SendFailed')).toBe(1)
    expect(completed).toEqual([[sale.saleId, [{ second: 1_800_000_000, booked: 1, stockRevision: 0 }]]])
  })

  it('gives a shopper whose reply was lost the same order again, and sends the message that was lost with it (I5, S9, O4)', async () => {
    // The sale is known from here on, so the next call takes the unit.
    await buy(wish(9, { startToken: 'another' }))
    stock.loseNextReply()
    await expect(buy(wish(1))).rejects.toThrow(RedisUnavailable)
    const retry = await buy(wish(1))
    expect(retry.reservation).toMatchObject({ kind: 'repeat', quantity: 1, orderId: retry.orderId })
    expect(await booked()).toBe(1)
    const [left, ...others] = await waiting()
    expect([left?.orderId, others]).toEqual([retry.orderId, []])
    expect(queue.messages.map((message) => JSON.stringify(message))).toEqual([left?.body])
    expect(completed.at(-1), 'the repeat took nothing').toEqual([sale.saleId, [{ second: 1_800_000_000 }]])
  })

  it('sends a message again for a repeat until it has left the outbox, also one that was sent from there (O5)', async () => {
    queue.goDown()
    const { orderId } = await buy(wish(1))
    expect((await buy(wish(1))).reservation, 'whatever the queue does').toMatchObject({ kind: 'repeat', quantity: 1 })
    queue.comeUp()
    await claimDue(redis, sale.saleId, [orderId], { now: 20_000, minAgeMs: 10_000 })
    await buy(wish(1))
    expect(queue.messages).toMatchObject([{ orderId, reservedAt: 5_000 }])
    expect(queue.messages[0], 'the admission of the first request is reported already').not.toHaveProperty('admitted')
    await acknowledge(redis, sale.saleId, [orderId])
    await buy(wish(1))
    expect(queue.messages).toHaveLength(1)
  })

  it('notifies the gate when the last unit is taken, and when none is left, not while some are (G4, S8)', async () => {
    await buy(wish(1, { quantity: 2 }))
    const { reservation } = await buy(wish(2, { quantity: 2 }))
    expect(reservation).toMatchObject({ kind: 'sold-out', remaining: 1 })
    expect(published).toEqual([])
    await buy(wish(2))
    expect(published).toEqual([0])
    await buy(wish(3))
    expect(published).toEqual([0, 0])
  })

  it('does not call a sale sold out of which units are held back that may be for sale again (S8, G4)', async () => {
    await raw(redis, 'HSET', stockKeys(sale.saleId).stock, 'booked', '2', 'heldBack', '2')
    expect((await buy(wish(1))).reservation).toMatchObject({ kind: 'reserved', remaining: 0 })
    expect(published).toEqual([])
  })

  it('reports a click that a shard of a split stock could not serve, although that answers no more (G5, S15)', async () => {
    const shard = shardNumberOf(shopperIdOf(1), 2)
    await warmStock({ exec: redis.exec, shard }, { ...sale, stock: 0 })
    ports.stock = { exec: stock.exec, shardCount: async () => 2 }
    stock.fail('shard-demand')
    expect((await buy(wish(1))).reservation).toEqual({ kind: 'unavailable' })
    expect(completed).toEqual([[sale.saleId, [{ second: 1_800_000_000 }]]])
  })

  it('notifies the gate of a variant when its last unit is taken, and when none is left (N1, G4)', async () => {
    const ofVariants = aSaleOfVariants({ s: 2, m: 1 })
    await warmStock(redis, ofVariants)
    const reports: unknown[][] = []
    ports.soldOut = { publish: async (...report) => void reports.push(report) }
    const { saleId, startToken } = ofVariants
    const wished = (shopper: number, variant: string, quantity = 1) =>
      buy(wish(shopper, { saleId, startToken: startToken ?? '', quantity, variant }))
    await wished(1, 's')
    expect(reports).toEqual([])
    await wished(2, 's')
    expect(reports.splice(0)).toEqual([[saleId, 0, ['s']]])
    const { reservation } = await wished(3, 's')
    expect(reservation).toMatchObject({ kind: 'sold-out', remaining: 1, shortVariant: { variant: 's', left: 0 } })
    expect(reports.splice(0)).toEqual([[saleId, 0, ['s']]])
    await wished(4, 'm', 2)
    expect(reports, 'one unit of M is left').toEqual([])
    await wished(5, 'm')
    expect(reports, 'the whole sale').toEqual([[saleId, 0]])
    expect(queue.messages.map(({ variant }) => variant)).toEqual(['s', 's', 'm'])
  })

  it('has the writer report what took units, and reports every other click itself, once each (G5, G7)', async () => {
    await buy(wish(1))
    await buy(wish(1))
    await buy(wish(2, { quantity: 0 }))
    await buy(wish(2, { quantity: 2 }))
    await buy(wish(3))
    const second = 1_800_000_000
    expect(queue.messages.map(({ admitted }) => admitted)).toEqual([
      { second, booked: 1, stockRevision: 0 },
      // The repeat reports its own admission below.
      undefined,
      { second, booked: 3, stockRevision: 0 },
    ])
    expect(completed).toEqual([
      [sale.saleId, [{ second }]],
      [sale.saleId, [{ second }]],
      [sale.saleId, [{ second, booked: 3, stockRevision: 0 }]],
    ])
  })

  it('reports no stock to the gate when the stock is unlimited (S4)', async () => {
    await removeStock(redis, sale.saleId)
    await warmStock(redis, { ...sale, stock: -1 })
    await buy(wish(1))
    expect(queue.messages.map(({ admitted }) => admitted)).toEqual([{ second: 1_800_000_000 }])
  })

  it('gives up on a gate that is unavailable long before a shopper would notice (I6)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await buy(wish(3))
      for (const [units, kind, reports] of [
        [wish(1, { quantity: 2 }), 'reserved', 1],
        [wish(2), 'sold-out', 2],
      ] as const) {
        let waiting = reports
        const reported = Promise.withResolvers<void>()
        const never = () => {
          waiting -= 1
          if (waiting === 0) reported.resolve()
          return new Promise<void>(() => {})
        }
        ports.soldOut = { publish: never }
        ports.admissions = { complete: never }
        let answered: string | undefined
        const answer = buy(units).then(({ reservation }) => {
          answered = reservation.kind
        })
        await reported.promise
        await vi.advanceTimersByTimeAsync(149)
        expect(answered).toBeUndefined()
        await vi.advanceTimersByTimeAsync(1)
        await answer
        expect(answered).toBe(kind)
      }
      expect(telemetry.counted('GateUpdateFailed')).toBe(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it('counts what the stock decided, and an unknown outcome as it is answered', async () => {
    for (const shopper of [1, 1, 2, 3, 4]) await buy(wish(shopper))
    stock.goDown()
    await expect(buy(wish(5))).rejects.toThrow()
    const outcomes = ['reserved', 'repeat', 'reserved', 'reserved', 'sold-out', 'unavailable']
    expect(demanded).toEqual(outcomes.map((outcome) => `${sale.saleId} ${outcome}`))
  })

  it('does not report a click without an admission, or one whose outcome is unknown', async () => {
    await buy(wish(1), { saleId: sale.saleId, admission: undefined })
    stock.goDown()
    await expect(buy(wish(2))).rejects.toThrow(RedisUnavailable)
    expect(completed).toEqual([])
  })
})
