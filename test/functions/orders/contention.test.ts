/** Several writers at the cap of one sale, under the table's rule for transactions that overlap. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OrderBook } from '../../../functions/orders/commit.ts'
import { writeOrders } from '../../../functions/orders/write-orders.ts'
import { aSale } from '../../redis/support.ts'
import { budgetMs, queueMessageOf, range, writerRig } from './writer-rig.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const transactionMs = 40
const cancellationMs = 8
const pass = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** DynamoDB: a transaction that meets another one on an item is cancelled, and the first continues. */
function overlapping(book: OrderBook): OrderBook {
  let underWay = false
  return {
    async write(chunk) {
      if (underWay) {
        await pass(cancellationMs)
        return { kind: 'busy' }
      }
      underWay = true
      await pass(transactionMs)
      underWay = false
      return book.write(chunk)
    },
  }
}

describe('writers that compete for the cap of a sale', () => {
  it.each([2, 5, 12])('%d of them write every order, none gives up (O7, I2)', async (writers) => {
    const batches = 8
    const orders = writers * batches * 49
    const sale = aSale({ stock: orders })
    const { ports, book, telemetry } = await writerRig([sale])
    const shared = { ...ports, book: overlapping(book), sleep: pass, clock: Date.now }
    const startedAt = Date.now()
    const invocations = range(writers, 0).map(async (writer) => {
      const failed: string[] = []
      for (const batch of range(batches, 0)) {
        const from = (writer * batches + batch) * 49 + 1
        const messages = range(49, from).map((shopper) => queueMessageOf({ sale, shopper }))
        failed.push(...(await writeOrders(shared, messages, Date.now() + budgetMs)))
      }
      return failed
    })
    const failed = Promise.all(invocations)
    await vi.runAllTimersAsync()
    expect((await failed).flat()).toEqual([])
    expect(await book.sold(sale.saleId)).toBe(orders)
    expect(telemetry.counted('OrdersWritten')).toBe(orders)
    const alone = writers * batches * transactionMs
    expect((Date.now() - startedAt) / alone, 'time, against one writer with no other').toBeLessThan(2.5)
  })

  it('gives up at its deadline, in time for the invocation to report, and not before (O7)', async () => {
    const sale = aSale({ stock: 100 })
    const { ports } = await writerRig([sale])
    const busy: OrderBook = {
      async write() {
        await pass(cancellationMs)
        return { kind: 'busy' }
      },
    }
    const startedAt = Date.now()
    const shared = { ...ports, book: busy, sleep: pass, clock: Date.now }
    const failed = writeOrders(shared, [queueMessageOf({ sale, shopper: 1 })], startedAt + budgetMs)
    await vi.runAllTimersAsync()
    expect(await failed).toHaveLength(1)
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(budgetMs)
    expect(Date.now() - startedAt).toBeLessThan(budgetMs + 500)
  })
})
