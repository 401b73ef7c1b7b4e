/**
 * The table in memory with the latency of a distant one, whose overlapping transactions are
 * cancelled as DynamoDB does. Its own work costs next to nothing, so a measurement shows what the
 * writers wait for.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SaleId } from '../../core/ids.ts'
import type { OrderBook } from '../../functions/orders/commit.ts'
import type { OrderEntry } from '../../functions/orders/order-entry.ts'
import { buyerKey, capKey, type ItemKey, orderKey } from '../../functions/stores/table.ts'
import { trackOverlapping } from '../../local/overlapping.ts'
import { memoryTable } from '../../simulation/memory/order-table.ts'

export type ContendedTable = { book: OrderBook; sold: (saleId: SaleId) => Promise<number> }

/** A table with one sale. */
export async function contendedTable(
  saleId: SaleId,
  stock: number,
  latencyMs: number,
): Promise<ContendedTable> {
  const table = memoryTable()
  const overlapping = trackOverlapping()
  await table.openCap(saleId, stock)

  /** The items are occupied until the answer; what was done shows at the end. */
  const transaction = async <T>(items: readonly ItemKey[], work: () => Promise<T>) => {
    const { conflicts, end } = overlapping.beginWrite(items.map(({ pk, sk }) => `${pk} ${sk}`))
    try {
      await sleep(latencyMs)
      return conflicts().includes(true) ? ({ kind: 'busy' } as const) : await work()
    } finally {
      end()
    }
  }

  return {
    book: { write: (chunk) => transaction(itemsOf(chunk), () => table.write(chunk)) },
    sold: table.sold,
  }
}

function itemsOf(chunk: readonly OrderEntry[]): ItemKey[] {
  const caps = new Set(chunk.map(({ order }) => order.saleId))
  return [
    ...[...caps].map((saleId) => capKey(saleId)),
    ...chunk.flatMap(({ order }) => [orderKey(order.orderId), buyerKey(order.saleId, order.shopperId)]),
  ]
}
