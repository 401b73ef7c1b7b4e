/** A writer of orders wired to memory, and messages for it. */
import type { Admitted } from '../../../core/admitted.ts'
import type { OrderId, SaleId } from '../../../core/ids.ts'
import type { FinalOrder } from '../../../core/order.ts'
import type { Sale } from '../../../core/sale.ts'
import { type Basket, basketUnits, stocksById } from '../../../core/variants.ts'
import type { QueueMessage } from '../../../functions/lib/queue-message.ts'
import { bookInParts } from '../../../functions/orders/book-in-parts.ts'
import { type WriterPorts, writeOrders } from '../../../functions/orders/write-orders.ts'
import { countedCoupons } from '../../../simulation/memory/counted-coupons.ts'
import { type MemoryTable, memoryTable } from '../../../simulation/memory/order-table.ts'
import { type TestTelemetry, testTelemetry } from '../../../simulation/memory/support.ts'
import { type MemoryAcknowledgements, memoryAcknowledgements } from '../../contract/fakes/acknowledgements.ts'
import { type MemoryDeadLetters, memoryDeadLetters } from '../../contract/fakes/dead-letters.ts'
import { type MemoryDeadlines, memoryDeadlines } from '../../contract/fakes/deadlines.ts'
import { orderIdOf, shopperIdOf } from '../../redis/support.ts'

export type WriterRig = {
  ports: WriterPorts
  book: MemoryTable
  deadlines: MemoryDeadlines
  deadLetters: MemoryDeadLetters
  acknowledged: MemoryAcknowledgements<FinalOrder>
  telemetry: TestTelemetry
  refreshed: SaleId[]
  pauses: number[]
  /** One invocation, with seven seconds until its deadline. */
  write: (messages: readonly QueueMessage[]) => Promise<string[]>
}

/** What the handler has left of a function timeout of ten seconds. */
export const budgetMs = 7_000

export async function writerRig(sales: readonly Sale[]): Promise<WriterRig> {
  const book = memoryTable()
  const deadlines = memoryDeadlines()
  const deadLetters = memoryDeadLetters()
  const acknowledged = memoryAcknowledgements<FinalOrder>()
  for (const { saleId, stock, variants } of sales) {
    await book.openCap(saleId, stock, undefined, variants && stocksById(variants))
  }
  const telemetry = testTelemetry()
  const refreshed: SaleId[] = []
  const pauses: number[] = []
  let now = 7_000
  const ports: WriterPorts = {
    book: bookInParts({ book, capParts: book.capParts, random: Math.random }),
    deadlines,
    deadLetters,
    outbox: acknowledged.outbox,
    admissions: acknowledged.admissions,
    drawCoupons: countedCoupons(),
    offers: { of: async (saleId) => sales.find((sale) => sale.saleId === saleId) },
    shopfront: { refresh: async (saleId) => void refreshed.push(saleId) },
    clock: () => now,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds)
      now += milliseconds
    },
    ...telemetry,
  }
  const write = (messages: readonly QueueMessage[]) => writeOrders(ports, messages, ports.clock() + budgetMs)
  return { ports, book, deadlines, deadLetters, acknowledged, telemetry, refreshed, pauses, write }
}

export type Asked = {
  sale: Sale
  shopper: number
  order?: number
  quantity?: number
  basket?: Basket
  admitted?: Admitted
}

/** The message of an order; its id names shopper and order, so failures read well. */
export function queueMessageOf(
  { sale, shopper, order = 1, basket, quantity = basket ? basketUnits(basket) : 1, admitted }: Asked,
  copy = '',
): QueueMessage {
  const orderId = idOf({ sale, shopper, order })
  const body = {
    orderId,
    saleId: sale.saleId,
    shopperId: shopperIdOf(shopper),
    quantity,
    basket,
    reservedAt: 5_000,
    requestId: `request-${shopper}`,
    epoch: 1,
    admitted,
  }
  return { messageId: `${sale.saleId}/${shopper}.${order}${copy}`, body: JSON.stringify(body) }
}

export function idOf({ sale, shopper, order = 1 }: Asked): OrderId {
  return orderIdOf(sale.saleId, shopper, order)
}

export function range(count: number, from = 1): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}
