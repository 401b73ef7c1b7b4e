/**
 * The table in memory with the latency of a distant one, whose overlapping transactions are
 * cancelled as DynamoDB does. Its own work is small beside the latency, so a measurement shows what the
 * writers wait for.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { SaleId } from '../../../core/ids.ts'
import type { Table } from '../../../functions/lib/shop/table.ts'
import { dynamoOrderBook, type OrderBook } from '../../../functions/table/orders/order-book.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { openCap } from '../../../functions/table/stock/cap-item.ts'
import { transactOnce } from '../../../functions/table/transaction.ts'
import { trackOverlapping } from '../../../local/table/overlapping.ts'
import { memoryTable, tableName } from '../../simulation/dynamodb/memory-table.ts'
import { conflict, onWire, textOf } from '../../simulation/dynamodb/wire.ts'

export type ContendedTable = { table: Table; book: OrderBook; sold: () => Promise<number> }

/** A table with one sale. */
export async function contendedTable(saleId: SaleId, stock: number, latencyMs: number): Promise<ContendedTable> {
  const near = { client: memoryTable().client, name: tableName }
  const overlapping = trackOverlapping()
  await transactOnce(near, openCap(near.name, saleId, { stock }))

  const table = onWire(near, async (name, send, command) => {
    if (name === 'transact get CAP') throw new Error('no order of the measurement is over the cap')
    if (!name.startsWith('transact ')) {
      await sleep(latencyMs)
      return send()
    }
    // The items are occupied until the answer; what was done shows at the end.
    const { conflicts, end } = overlapping.beginWrite(keysIn(textOf(command)))
    try {
      await sleep(latencyMs)
      if (conflicts().includes(true)) throw conflict()
      return await send()
    } finally {
      end()
    }
  })

  return {
    table,
    book: dynamoOrderBook(table),
    sold: async () => (await saleTotals(near, saleId))?.sold ?? 0,
  }
}

/** The keys of the items that a transaction writes. */
function keysIn(transaction: string): string[] {
  const { TransactItems }: { TransactItems: Record<string, { Key?: Key; Item?: Key }>[] } = JSON.parse(transaction)
  return TransactItems.flatMap((item) =>
    Object.values(item).map(({ Key, Item = Key }) => `${Item?.pk.S} ${Item?.sk.S}`),
  )
}

type Key = { pk: { S: string }; sk: { S: string } }
