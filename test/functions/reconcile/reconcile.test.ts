import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId, SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale.ts'
import { minAgeMs, type Ports, reconcile } from '../../../functions/reconcile/reconcile.ts'
import { darkness } from '../../contract/fakes/darkness.ts'
import { aSale, orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { type TestTelemetry, testTelemetry } from '../support.ts'

const sale = aSale()
const other = aSale()
const draft = aSale({ warmed: false, epoch: 0 })
const waiting = aSale({ epoch: 0, flag: 'off' })
const all: readonly Sale[] = [draft, waiting, sale, other]
const find = (saleId: SaleId) => all.find((one) => one.saleId === saleId)
const sqs = darkness('SQS')
const redis = darkness('Redis')
let outbox: Map<OrderId, { saleId: SaleId; body: string }>
let sent: string[]
let refused: Set<string>
let refreshed: SaleId[]
let telemetry: TestTelemetry
let ports: Ports

const unwanted = () => Promise.reject(new Error('a sale in step is left alone'))

/** Redis and the gate know each sale as it is; whoever writes to them in these tests does too much. */
const noChange = {
  stock: { warm: unwanted, flip: unwanted, add: unwanted, remove: unwanted },
  stockReader: {
    read: async (saleId: SaleId) => {
      const found = find(saleId)
      return found && { ...found, available: found.stock, restocks: 0 }
    },
  },
  gate: { set: unwanted, raiseSoldOut: unwanted, raiseRestocked: unwanted },
  gateReader: { read: async (saleId: SaleId) => find(saleId) },
  publisher: { countdown: unwanted, pages: unwanted, withdraw: unwanted },
}

beforeEach(() => {
  sqs.comeBack()
  redis.comeBack()
  outbox = new Map()
  sent = []
  refused = new Set()
  refreshed = []
  telemetry = testTelemetry()
  ports = {
    ...noChange,
    sales: {
      list: async () => all,
      find: async (saleId) => {
        const found = find(saleId)
        return found && { sale: found, revision: 1, settledStock: [] }
      },
      save: unwanted,
    },
    publisher: { ...noChange.publisher, pointer: async (saleId) => void refreshed.push(saleId) },
    outbox: {
      async *pages(saleId) {
        redis.pass()
        const mine = [...outbox].filter(([, entry]) => entry.saleId === saleId)
        for (let at = 0; at < mine.length; at += 2) {
          yield mine.slice(at, at + 2).map(([orderId, { body }]) => ({ orderId, body }))
        }
      },
      acknowledge: async (_saleId, orderIds) => {
        for (const orderId of orderIds) outbox.delete(orderId)
      },
    },
    queue: {
      sendAll: async (messages) => {
        sqs.pass()
        return messages.map(({ orderId }) => {
          if (refused.has(orderId)) return new Error('refused')
          sent.push(orderId)
          return undefined
        })
      },
    },
    clock: () => 20_000,
    ...telemetry,
  }
})

function wait(shopper: number, reservedAt: number, from = sale): OrderId {
  const orderId = orderIdOf(from.saleId, shopper, 1)
  const message = {
    orderId,
    saleId: from.saleId,
    shopperId: shopperIdOf(shopper),
    quantity: 1,
    reservedAt,
    requestId: 'r',
    epoch: 1,
  }
  outbox.set(orderId, { saleId: from.saleId, body: JSON.stringify(message) })
  return orderId
}

describe('reconcile', () => {
  it('sends again what is ten seconds old, and only that (O5)', async () => {
    const old = [1, 2, 3].map((shopper) => wait(shopper, 20_000 - minAgeMs))
    const young = wait(4, 20_000 - minAgeMs + 1)
    expect(await reconcile(ports, minAgeMs)).toEqual({
      resent: 3,
      waiting: 1,
      oldestAgeMs: 10_000,
      repaired: 0,
    })
    expect(sent).toEqual(old)
    expect([...outbox.keys()]).toEqual([young])
    expect(telemetry.counted('OutboxResent')).toBe(3)
    expect(telemetry.counted('OutboxAge')).toBe(10)
  })

  it('keeps in the outbox what the queue did not take (O4, I2)', async () => {
    const [taken, left] = [wait(1, 0), wait(2, 0)]
    refused.add(left)
    expect(await reconcile(ports, 0)).toMatchObject({ resent: 1, waiting: 1 })
    expect(sent).toEqual([taken])
    expect([...outbox.keys()]).toEqual([left])
  })

  it('does not let one sale’s trouble keep another’s orders waiting (I6)', async () => {
    wait(1, 0)
    const good = wait(1, 0, other)
    const { pages } = ports.outbox
    ports.outbox.pages = (saleId) => {
      if (saleId === sale.saleId) throw new Error('Redis is dark')
      return pages(saleId)
    }
    expect(await reconcile(ports, 0)).toMatchObject({ resent: 1 })
    expect(sent).toEqual([good])
    expect(telemetry.counted('ReconcileFailed')).toBe(1)
  })

  it('loses nothing while SQS is dark, and sends all when it is back (I2)', async () => {
    wait(1, 0)
    sqs.goDark()
    await reconcile(ports, 0)
    expect(outbox.size).toBe(1)
    sqs.comeBack()
    expect(await reconcile(ports, 0)).toMatchObject({ resent: 1, waiting: 0 })
  })

  it('tells of a message nobody can read, keeps it, and goes on (O7)', async () => {
    outbox.set(orderIdOf(sale.saleId, 9, 9), { saleId: sale.saleId, body: '{"orderId":1}' })
    wait(1, 0)
    expect(await reconcile(ports, 0)).toMatchObject({ resent: 1, waiting: 1 })
    expect(telemetry.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  it('puts the pointers of sales on the shelf right until an hour after their end, and writes nothing else (I6)', async () => {
    await reconcile(ports, 0)
    expect(refreshed).toEqual([waiting.saleId, sale.saleId, other.saleId])
    expect(telemetry.counted('ReconcileFailed')).toBe(0)
    ports.clock = () => 9_000 + 3_600_000
    await reconcile(ports, 0)
    expect(refreshed).toHaveLength(3)
  })
})
