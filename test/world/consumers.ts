/** The consumers of the queues of a world: orders are written, timers run out. */
import type { SaleId } from '../../core/ids.ts'
import type { FinalOrder } from '../../core/orders/order.ts'
import type { Admitted, OrderMessage } from '../../core/orders/order-message.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { redisAdmissions } from '../../functions/entries/adapters/gate.redis.ts'
import type { QueueMessage } from '../../functions/lib/queue-consumer.ts'
import { handlePaymentTimers } from '../../functions/orders/cancel-unpaid.ts'
import { type WriterPorts, writeOrders } from '../../functions/orders/write-orders.ts'
import { acknowledgeOrders } from '../../redis/orders/outbox.ts'
import { memoryDeadLetters, memoryDeadlines } from '../contract/fakes/queue.ts'
import { type World, world } from './world.ts'

/** Time left for a handler with a function timeout of ten seconds. */
export const budgetMs = 6_000

const messagesOf = (bodies: readonly object[]): QueueMessage[] =>
  bodies.map((body, at) => ({ messageId: `m-${at}`, body: JSON.stringify(body) }))

type Served = Pick<World, 'ports' | 'book' | 'offers' | 'stocks' | 'gate' | 'makeCoupons' | 'clock'>

export function consumersOf({ ports, book: writer, offers, stocks, gate, makeCoupons, clock }: Served) {
  const deadLetters = memoryDeadLetters()
  const deadlines = memoryDeadlines()
  const writerPorts: WriterPorts = {
    ...{ ...ports, offers, deadLetters, writer, makeCoupons, deadlines },
    admissions: redisAdmissions(gate, ports.clock),
    outbox: { remove: (saleId, orders) => acknowledgeOrders(stocks, saleId, orders) },
  }
  const until = () => clock.now + budgetMs
  return {
    ...{ deadLetters, deadlines, writerPorts },
    write: (messages: readonly OrderMessage[]) => writeOrders(writerPorts, messagesOf(messages), until()),
    /** Delivers the waiting timers, early or not. */
    ring: () =>
      handlePaymentTimers({ ...ports, deadlines, deadLetters }, messagesOf(deadlines.messages.splice(0)), until()),
  }
}

export type OpenWriter = Awaited<ReturnType<typeof openWriter>>

/** The writer of orders without a Redis: what it acknowledges is recorded. */
export async function openWriter(sales: readonly Sale[]) {
  const own = await world({ sales, now: 7_000 })
  const { writerPorts, deadlines, deadLetters } = consumersOf(own)
  const acknowledged = {
    /** The orders removed from the outbox, in the order of the calls. */
    removed: [] as { saleId: SaleId; ids: readonly FinalOrder[] }[],
    completed: [] as { saleId: SaleId; decided: readonly Admitted[] }[],
  }
  // Cached, as in a function: an unavailable table does not matter.
  const offers = { find: async (saleId: SaleId) => sales.find((sale) => sale.saleId === saleId) }
  const ports: WriterPorts = {
    ...{ ...writerPorts, offers },
    outbox: { remove: async (saleId, ids) => void acknowledged.removed.push({ saleId, ids }) },
    admissions: { complete: async (saleId, decided) => void acknowledged.completed.push({ saleId, decided }) },
  }
  const { table: book, telemetry, refreshed, pauses } = own
  /** One invocation, with six seconds until its deadline. */
  const write = (messages: readonly QueueMessage[]) => writeOrders(ports, messages, ports.clock() + budgetMs)
  return { ports, book, deadlines, deadLetters, acknowledged, telemetry, refreshed, pauses, write }
}
