/** Several writers at the cap of one sale, under the table's rule for transactions that overlap. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { capPartWriter } from '../../../functions/orders/cap-part-writer.ts'
import { writeOrders } from '../../../functions/orders/write-orders.ts'
import type { OrderWriter } from '../../../functions/table/orders/order-writer.ts'
import { seededRandom } from '../../../proof/bench/statistics.ts'
import { commandJson, conflict, onWire } from '../../../proof/simulation/dynamodb/wire.ts'
import { trackOverlapping } from '../../contract/overlapping.ts'
import { range } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'
import { budgetMs, openWriter } from '../../world/consumers.ts'
import { orderMessageOf } from '../../world/messages.ts'
import type { WorldTable } from '../../world/table.ts'

// Pauses and parts are drawn from a seed, and the time is that of the timers: every run meets the same conflicts.
beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockImplementation(seededRandom(20_261_128))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const transactionMs = 40
const cancellationMs = 8
const pass = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/**
 * DynamoDB: a transaction that meets another one on an item is cancelled, and the first continues.
 * Here they meet only at parts of a cap.
 */
function overlapping(table: WorldTable): () => OrderWriter {
  const tracked = trackOverlapping()
  const transaction = async <T>(parts: Iterable<number>, work: () => Promise<T>) => {
    const { conflicts, end } = tracked.beginWrite([...new Set(parts)].map(String))
    const isCancelled = conflicts().includes(true)
    await pass(isCancelled ? cancellationMs : transactionMs)
    end()
    return isCancelled ? ({ kind: 'busy' } as const) : work()
  }
  const writer: OrderWriter = {
    write: (chunk) =>
      transaction(
        chunk.map(({ order }) => order.capPart ?? 0),
        () => table.write(chunk),
      ),
  }
  const wired = onWire(table.table, async (name, send, command) => {
    if (name === 'batch get CAP') await pass(cancellationMs)
    if (name !== 'transact CAP') return send()
    const moved = [...commandJson(command).matchAll(/"sk":\{"S":"CAP#?(\d*)"/g)].map(([, part]) => Number(part))
    const answer = await transaction(moved, send)
    if ('kind' in answer) throw conflict()
    return answer
  })
  return () => capPartWriter({ writer, table: wired, random: Math.random })
}

describe('writers that compete for the cap of a sale', () => {
  it.each([
    [2, 1.5],
    [5, 1.2],
    [12, 0.8],
  ])(
    '%d of them write every order in at most %d times the time of one writer, none gives up (K7, O7, I2)',
    async (writers, share) => {
      const batches = 8
      const orders = writers * batches * 49
      const sale = aSale({ stock: orders })
      const { ports, book, telemetry } = await openWriter([sale])
      const newWriter = overlapping(book)
      const startedAt = Date.now()
      const invocations = range(writers, 0).map(async (writer) => {
        const own = { ...ports, writer: newWriter(), sleep: pass, clock: Date.now }
        const failed: string[] = []
        for (const batch of range(batches, 0)) {
          const from = (writer * batches + batch) * 49 + 1
          const messages = range(49, from).map((shopper) => orderMessageOf({ sale, shopper }))
          failed.push(...(await writeOrders(own, messages, Date.now() + budgetMs)))
        }
        return failed
      })
      const failed = Promise.all(invocations)
      await vi.runAllTimersAsync()
      expect((await failed).flat()).toEqual([])
      expect(await book.sold(sale.saleId)).toBe(orders)
      expect(telemetry.counted('OrdersWritten')).toBe(orders)
      const alone = writers * batches * transactionMs
      expect((Date.now() - startedAt) / alone, 'time, against one writer with no other').toBeLessThan(share)
    },
  )
})
