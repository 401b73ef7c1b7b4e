/**
 * The table of a world: the real stores over an in-memory table (test/contract compares it with DynamoDB). It counts
 * transactions, and is unavailable or busy on command.
 */
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { OrderId, SaleId, ShopperId } from '../../core/ids.ts'
import { budgetOf } from '../../core/packets/packets.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { stocksById, type VariantUnits } from '../../core/sale/variants.ts'
import type { Table } from '../../functions/lib/shop/shop.ts'
import type { AuditEntry } from '../../functions/table/audit.ts'
import { auditDay, buyerKey, deliveryKey } from '../../functions/table/keys.ts'
import { withCouponEntries } from '../../functions/table/orders/coupon-orders.ts'
import type { OrderEntry } from '../../functions/table/orders/order-entry.ts'
import type { WriteResult } from '../../functions/table/orders/order-writer.ts'
import { saleItem } from '../../functions/table/sale/sale-item.ts'
import { pageOfSales } from '../../functions/table/sale/sale-lists.ts'
import { saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { addToParts, closeCap, openCap } from '../../functions/table/stock/cap-item.ts'
import { TransactionRequest, transact, transactOnce } from '../../functions/table/transaction.ts'
import { memoryTable, storesOf, tableName } from '../../proof/simulation/dynamodb/memory-table.ts'
import { conflict } from '../../proof/simulation/dynamodb/wire.ts'
import { ledgerOf } from './ledger.ts'
import { outage } from './outage.ts'

export type WorldTable = ReturnType<typeof worldTable>

/** `unitsPerCapPart`: how many units a cap has in a part, where the usual number does not suit. */
export function worldTable({ unitsPerCapPart }: { unitsPerCapPart?: number } = {}) {
  const memory = memoryTable()
  const switchable = outage('DynamoDB')
  let busy = 0
  const failing = new Set<string>()
  const counted = { transactions: 0 }
  const send = async (command: object) => {
    try {
      switchable.pass()
    } catch (error) {
      throw Object.assign(error as Error, { name: 'TimeoutError' })
    }
    const asked = JSON.stringify(command instanceof TransactionRequest ? command.body : Reflect.get(command, 'input'))
    const place = [...failing].find((text) => asked.includes(text))
    if (place !== undefined) throw new Error(`DynamoDB fails at ${place}`)
    if (command instanceof TransactionRequest) {
      counted.transactions += 1
      if (busy > 0) {
        busy -= 1
        throw conflict()
      }
    }
    return (memory.client.send as (command: object) => Promise<object>)(command)
  }
  const table: Table = {
    client: { send } as Table['client'],
    name: tableName,
    ...(unitsPerCapPart && { unitsPerCapPart }),
  }
  const stores = storesOf(table)
  const book = withCouponEntries(table, stores.book)
  const itemsOf = (prefix: string) => [...memory.items()].filter(({ pk }) => String(pk).startsWith(prefix))
  const { name } = table
  return {
    ...switchable,
    ...stores,
    ...ledgerOf(table),
    ...table,
    memory,
    table,
    counted,
    /** Fails every command that names `text`, such as a key, until the returned function is called. */
    failAt(text: string): () => void {
      failing.add(text)
      return () => void failing.delete(text)
    },
    /** Makes the next `times` transactions conflict with another. */
    beBusy: (times: number) => {
      busy = times
    },
    /** Writes orders; the codes of coupons first, as the writer does when it is asked again. */
    async write(chunk: readonly OrderEntry[]): Promise<WriteResult> {
      const written = await book.write(chunk)
      return written.kind === 'begun' ? book.write(chunk) : written
    },
    /** Every audit entry, oldest first. */
    audit: (): readonly AuditEntry[] =>
      itemsOf(auditDay('')).map(({ pk: _, sk: __, ...entry }) => entry as unknown as AuditEntry),
    /** Returns the units left and sold in the first part of each cap. */
    caps: () => itemsOf('SALE#').flatMap(({ sk, remaining, sold }) => (sk === 'CAP' ? [{ remaining, sold }] : [])),
    /** Writes the sale and its cap, as if it had been created long ago. */
    async begin(sale: Sale): Promise<void> {
      const { saleId, stock, packets, variants } = sale
      const Item = saleItem({ sale, revision: 1, finishedStockChanges: [] })
      const cap = { stock, budget: packets && budgetOf(sale), variants: variants && stocksById(variants) }
      await transactOnce(table, [{ Put: { TableName: name, Item } }, ...openCap(name, saleId, cap, unitsPerCapPart)])
    },
    openCap: async (saleId: SaleId, stock: number, budget?: number, variants?: VariantUnits): Promise<void> =>
      transactOnce(table, openCap(name, saleId, { stock, budget, variants }, unitsPerCapPart)),
    addToCap: async (saleId: SaleId, delta: number, units?: VariantUnits): Promise<boolean> =>
      (await transact(table, addToParts(name, saleId, new Map([[0, delta]]), units))) === 'written',
    closeBudget: async (saleId: SaleId, seen: number, closedAt: number): Promise<boolean> =>
      (await transact(table, [closeCap(name, saleId, { seen, closedAt })])) === 'written',
    sold: async (saleId: SaleId): Promise<number> => (await saleTotals(table, saleId))?.sold ?? 0,
    bought(saleId: SaleId, shopperId: ShopperId): number {
      const [total] = memory.items(buyerKey(saleId, shopperId).pk)
      return Number(total?.quantity ?? 0)
    },
    /** Stores a delivery of the order that nobody can read. */
    async storeDelivery(orderId: OrderId): Promise<void> {
      const Item = { ...deliveryKey(orderId), expiresAt: Date.UTC(2100) / 1000 }
      await table.client.send(new PutCommand({ TableName: name, Item }))
    },
    async eraseDelivery(orderId: OrderId): Promise<void> {
      await table.client.send(new DeleteCommand({ TableName: name, Key: deliveryKey(orderId) }))
    },
  }
}

/** All sales that are not archived, the earliest start first. */
export async function currentSales(table: Table): Promise<readonly Sale[]> {
  return (await pageOfSales(table, 'current', 1000, undefined)).sales.toReversed()
}

/** Wraps the table; `asked` records the name of each command. */
export function countedTable({ client, name }: Table): { table: Table; asked: string[] } {
  const asked: string[] = []
  const send = (command: object) => {
    asked.push(command.constructor.name)
    return (client.send as (command: object) => Promise<object>)(command)
  }
  return { table: { name, client: { send } as Table['client'] }, asked }
}
