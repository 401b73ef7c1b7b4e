/** The consumers of the queues of a world: orders are written, timers run out. */

import type { SaleId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { redisAdmissions } from '../../functions/entries/adapters/gate.redis.ts'
import type { QueueMessage } from '../../functions/lib/queue-consumer.ts'
import { cancelUnpaidOrders } from '../../functions/orders/payment-timers.ts'
import { type WriterPorts, writeOrders } from '../../functions/orders/write-orders.ts'
import { acknowledgeOrders } from '../../redis/orders/outbox.ts'
import { memoryAcknowledgements } from '../contract/fakes/acknowledgements.ts'
import { memoryDeadLetters } from '../contract/fakes/dead-letters.ts'
import { memoryDeadlines } from '../contract/fakes/deadlines.ts'
import { type World, world } from './world.ts'

/** What a handler has left of a function timeout of ten seconds. */
export const budgetMs = 7_000

const messagesOf = (bodies: readonly object[]): QueueMessage[] =>
  bodies.map((body, at) => ({ messageId: `m-${at}`, body: JSON.stringify(body) }))

type Served = Pick<World, 'ports' | 'book' | 'offers' | 'stocks' | 'gate' | 'drawCoupons' | 'clock'>

export function consumersOf({ ports, book, offers, stocks, gate, drawCoupons, clock }: Served) {
  const deadLetters = memoryDeadLetters()
  const deadlines = memoryDeadlines()
  const writer: WriterPorts = {
    ...{ ...ports, offers, deadLetters, book, drawCoupons, deadlines },
    admissions: redisAdmissions(gate, ports.clock),
    outbox: { remove: (saleId, orders) => acknowledgeOrders(stocks, saleId, orders) },
  }
  const until = () => clock.now + budgetMs
  return {
    ...{ deadLetters, deadlines, writer },
    write: (messages: readonly OrderMessage[]) => writeOrders(writer, messagesOf(messages), until()),
    /** The timers that wait are delivered, early or not. */
    ring: () =>
      cancelUnpaidOrders({ ...ports, deadlines, deadLetters }, messagesOf(deadlines.messages.splice(0)), until()),
  }
}

export type OpenWriter = Awaited<ReturnType<typeof openWriter>>

/** The writer of orders without a Redis: what it acknowledges is recorded. */
export async function openWriter(sales: readonly Sale[]) {
  const own = await world({ sales, now: 7_000 })
  const acknowledged = memoryAcknowledgements()
  const { writer, deadlines, deadLetters } = consumersOf(own)
  const { outbox, admissions } = acknowledged
  // As by a function that remembers them, which a table that is away does not hinder.
  const offers = { of: async (saleId: SaleId) => sales.find((sale) => sale.saleId === saleId) }
  const ports: WriterPorts = { ...writer, offers, outbox, admissions }
  const { table: book, telemetry, refreshed, pauses } = own
  /** One invocation, with seven seconds until its deadline. */
  const write = (messages: readonly QueueMessage[]) => writeOrders(ports, messages, ports.clock() + budgetMs)
  return { ports, book, deadlines, deadLetters, acknowledged, telemetry, refreshed, pauses, write }
}
