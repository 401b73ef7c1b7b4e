/**
 * The table in memory with the latency of a distant one, whose overlapping transactions are
 * cancelled as DynamoDB does. Its own work is small beside the latency, so a measurement shows what the
 * writers wait for.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SaleId } from '../../../core/ids.ts'
import { firstCapPart } from '../../../core/orders/cap-part.ts'
import { buyerKey, capPartKey, type ItemKey, orderKey } from '../../../functions/table/keys.ts'
import { dynamoOrderBook, type OrderBook } from '../../../functions/table/orders/order-book.ts'
import type { OrderEntry } from '../../../functions/table/orders/order-entry.ts'
import { dynamoSaleOrders } from '../../../functions/table/sale/sale-orders.ts'
import { openCap } from '../../../functions/table/stock/cap-item.ts'
import { type CapParts, dynamoCapParts } from '../../../functions/table/stock/cap-parts.ts'
import { transactOnce } from '../../../functions/table/transaction.ts'
import { trackOverlapping } from '../../../local/table/overlapping.ts'
import { memoryTable, tableName } from '../../simulation/dynamodb/memory-table.ts'

export type ContendedTable = {
  book: OrderBook
  capParts: CapParts
  sold: (saleId: SaleId) => Promise<number>
}

/** A table with one sale. */
export async function contendedTable(
  saleId: SaleId,
  stock: number,
  latencyMs: number,
): Promise<ContendedTable> {
  const table = { client: memoryTable().client, name: tableName }
  const [book, caps, orders] = [dynamoOrderBook(table), dynamoCapParts(table), dynamoSaleOrders(table)]
  const overlapping = trackOverlapping()
  await transactOnce(table, openCap(table.name, saleId, { stock }))

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
    book: { write: (chunk) => transaction(itemsOf(chunk), () => book.write(chunk)) },
    capParts: {
      async look(saleId) {
        await sleep(latencyMs)
        return caps.look(saleId)
      },
      lookAtOnce: () => {
        throw new Error('no order of the measurement is over the cap')
      },
      move: (saleId, units) => {
        const items = [...units.keys()].map((part) => capPartKey(saleId, part))
        return transaction(items, () => caps.move(saleId, units))
      },
    },
    sold: async (saleId) => (await orders.totals(saleId))?.sold ?? 0,
  }
}

function itemsOf(chunk: readonly OrderEntry[]): ItemKey[] {
  const saleId = chunk[0]?.order.saleId
  if (saleId === undefined) return []
  const parts = new Set(chunk.map(({ order }) => order.capPart ?? firstCapPart))
  return [
    ...[...parts].map((part) => capPartKey(saleId, part)),
    ...chunk.flatMap(({ order }) => [orderKey(order.orderId), buyerKey(order.saleId, order.shopperId)]),
  ]
}
