import { beforeEach, describe, expect, it, vi } from 'vitest'
import { purchase, type ReservePorts, type WantedPurchase } from '../../../functions/buy/reserve.ts'
import type { AdmissionCompleter } from '../../../functions/lib/acknowledge.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { readStock, removeStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { type MemoryQueue, memoryQueue } from '../../contract/fakes/queue.ts'
import { aSale, aSaleOfVariants, shopperIdOf, waitingIn } from '../../redis/support.ts'
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

function wish(shopper: number, changes: Partial<WantedPurchase> = {}): WantedPurchase {
  return {
    saleId: sale.saleId,
    shopperId: shopperIdOf(shopper),
    quantity: 1,
    startToken: sale.startToken ?? '',
    key: undefined,
    requestId: 'request-1',
    admission: 1_800_000_000,
    ...changes,
  }
}

describe('reserve', () => {
  it('keeps the order in the outbox when SQS is unavailable, and reports to the gate itself (O4, I2, G7)', async () => {
    queue.goDown()
    const { orderId, reservation } = await purchase(ports, wish(1))
    expect(reservation.kind).toBe('reserved')
    expect((await waiting()).map(({ orderId }) => orderId)).toEqual([orderId])
    expect(telemetry.counted('SendFailed')).toBe(1)
    expect(completed).toEqual([[sale.saleId, [{ second: 1_800_000_000, booked: 1, stockRevision: 0 }]]])
  })

  it('gives a shopper whose reply was lost the same order again (I5, S9)', async () => {
    // The sale is known from here on, so the next call takes the unit.
    await purchase(ports, wish(9, { startToken: 'another' }))
    stock.loseNextReply()
    await expect(purchase(ports, wish(1))).rejects.toThrow(RedisUnavailable)
    const retry = await purchase(ports, wish(1))
    expect(retry.reservation).toMatchObject({ kind: 'repeat', quantity: 1, orderId: retry.orderId })
    expect(await booked()).toBe(1)
    expect((await waiting()).map(({ orderId }) => orderId)).toEqual([retry.orderId])
  })

  it('notifies the gate when the last unit is taken, and when none is left, not while some are (G4, S8)', async () => {
    await purchase(ports, wish(1, { quantity: 2 }))
    const { reservation } = await purchase(ports, wish(2, { quantity: 2 }))
    expect(reservation).toMatchObject({ kind: 'sold-out', remaining: 1 })
    expect(published).toEqual([])
    await purchase(ports, wish(2))
    expect(published).toEqual([0])
    await purchase(ports, wish(3))
    expect(published).toEqual([0, 0])
  })

  it('notifies the gate of a variant when its last unit is taken, and when none is left (N1, G4)', async () => {
    const ofVariants = aSaleOfVariants({ s: 2, m: 1 })
    await warmStock(redis, ofVariants)
    const reports: unknown[][] = []
    ports.soldOut = { publish: async (...report) => void reports.push(report) }
    const { saleId, startToken } = ofVariants
    const wished = (shopper: number, variant: string, quantity = 1) =>
      purchase(ports, wish(shopper, { saleId, startToken: startToken ?? '', quantity, variant }))
    await wished(1, 's')
    expect(reports).toEqual([])
    await wished(2, 's')
    expect(reports.splice(0)).toEqual([[saleId, 0, ['s']]])
    const { reservation } = await wished(3, 's')
    expect(reservation).toMatchObject({ kind: 'sold-out', remaining: 1, lacking: { variant: 's', left: 0 } })
    expect(reports.splice(0)).toEqual([[saleId, 0, ['s']]])
    await wished(4, 'm', 2)
    expect(reports, 'one unit of M is left').toEqual([])
    await wished(5, 'm')
    expect(reports, 'the whole sale').toEqual([[saleId, 0]])
    expect(queue.messages.map(({ variant }) => variant)).toEqual(['s', 's', 'm'])
  })

  it('has the writer report what took units, and reports every other click itself, once each (G5, G7)', async () => {
    await purchase(ports, wish(1))
    await purchase(ports, wish(1))
    await purchase(ports, wish(2, { quantity: 0 }))
    await purchase(ports, wish(2, { quantity: 2 }))
    await purchase(ports, wish(3))
    const second = 1_800_000_000
    expect(queue.messages.map(({ admitted }) => admitted)).toEqual([
      { second, booked: 1, stockRevision: 0 },
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
    await purchase(ports, wish(1))
    expect(queue.messages.map(({ admitted }) => admitted)).toEqual([{ second: 1_800_000_000 }])
  })

  it('gives up on a gate that is unavailable long before a shopper would notice (I6)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await purchase(ports, wish(3))
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
        const answer = purchase(ports, units).then(({ reservation }) => {
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
    for (const shopper of [1, 1, 2, 3, 4]) await purchase(ports, wish(shopper))
    stock.goDown()
    await expect(purchase(ports, wish(5))).rejects.toThrow()
    const outcomes = ['reserved', 'repeat', 'reserved', 'reserved', 'sold-out', 'unavailable']
    expect(demanded).toEqual(outcomes.map((outcome) => `${sale.saleId} ${outcome}`))
  })

  it('does not report a click without an admission, or one whose outcome is unknown', async () => {
    await purchase(ports, wish(1, { admission: undefined }))
    stock.goDown()
    await expect(purchase(ports, wish(2))).rejects.toThrow(RedisUnavailable)
    expect(completed).toEqual([])
  })
})
