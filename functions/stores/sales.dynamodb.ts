/**
 * Sales, their caps and the audit of every change in DynamoDB; what belongs together is one
 * transaction.
 */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import type { CapChange, SaleBook, Saved } from '../sales/sale-book.ts'
import { auditPut } from './audit.dynamodb.ts'
import { readBatch } from './batch.ts'
import { addToCap, openCap } from './cap-item.ts'
import type { Table } from './dynamodb.ts'
import { readList, readListPage } from './list.ts'
import { deletedSaleItem, isDeleted, readSaleItem, saleItem } from './sale-item.ts'
import { archivedSalesList, capKey, readSalePlace, saleKey, salePlace, salesList } from './table.ts'
import { type TransactionItem, transact } from './transaction.ts'

/** Those of the sales, in one batched read for up to 100. */
export function dynamoSalesById(table: Table): (saleIds: readonly SaleId[]) => Promise<readonly Sale[]> {
  return async (saleIds) => {
    const items = await readBatch(table, [...new Set(saleIds)].map(saleKey))
    return items.filter((item) => !isDeleted(item)).map((item) => readSaleItem(item).sale)
  }
}

const listPks = { current: salesList, archived: archivedSalesList } as const

export function dynamoSales(table: Table): SaleBook {
  const { client, name } = table
  const read = async (saleId: SaleId) => {
    const get = new GetCommand({ TableName: name, Key: saleKey(saleId), ConsistentRead: true })
    return (await client.send(get)).Item
  }

  const save = async (items: readonly (TransactionItem | undefined)[]): Promise<Saved> => {
    const written = await transact(
      table,
      items.filter((item) => item !== undefined),
    )
    return written === 'written' ? 'saved' : 'conflict'
  }

  return {
    async find(saleId) {
      const item = await read(saleId)
      return item === undefined || isDeleted(item) ? undefined : readSaleItem(item)
    },

    async findDeleted(saleId) {
      const item = await read(saleId)
      return item !== undefined && isDeleted(item) ? readSaleItem(item).sale : undefined
    },

    async list() {
      const items = await readList(table, salesList)
      return items.map((item) => readSaleItem(item).sale)
    },

    async page(list, limit, after) {
      const { items, last } = await readListPage(table, listPks[list], limit, after && salePlace(after))
      const sales = items.map((item) => readSaleItem(item).sale)
      return last === undefined ? { sales } : { sales, next: readSalePlace(last) }
    },

    create: (sale, audit) =>
      save([
        {
          Put: {
            TableName: name,
            Item: saleItem({ sale, revision: 1, finishedStockChanges: [] }),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        auditPut(name, audit),
      ]),

    save: (seen, next, { audit, cap }) =>
      save([
        salePut(name, saleItem({ ...next, revision: seen + 1 }), seen),
        audit === undefined ? undefined : auditPut(name, audit),
        cap === undefined ? undefined : capChange(name, next.sale.saleId, cap),
      ]),

    remove: ({ revision, ...record }, audit) =>
      save([
        salePut(name, deletedSaleItem({ ...record, revision: revision + 1 }, audit.when), revision),
        { Delete: { TableName: name, Key: capKey(record.sale.saleId) } },
        auditPut(name, audit),
      ]),
  }
}

/** Fails when the sale has another revision than `seen`, or was deleted. */
function salePut(TableName: string, Item: Record<string, unknown>, seen: number): TransactionItem {
  return {
    Put: {
      TableName,
      Item,
      ConditionExpression: 'revision = :seen AND attribute_not_exists(deletedAt)',
      ExpressionAttributeValues: { ':seen': seen },
    },
  }
}

/** The cap counts what may still be written, so that its condition needs no other item. */
function capChange(TableName: string, saleId: SaleId, change: CapChange): TransactionItem {
  return change.kind === 'open'
    ? openCap(TableName, saleId, change)
    : addToCap(TableName, saleId, change.delta)
}
