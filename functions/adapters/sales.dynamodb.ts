/** Sales, their caps and the audit of every change in DynamoDB; what belongs together is one transaction. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import { backOffMs } from '../back-off.ts'
import type { AuditEntry, CapChange, CapReader, SaleBook, Saved } from '../sales/sale-book.ts'
import { auditItem } from './audit.dynamodb.ts'
import { cancellationReasons, conditionFailed, isBusy, type Table } from './dynamodb.ts'
import { deletedSaleItem, isDeleted, readSaleItem, saleItem } from './sale-item.ts'
import { capKey, listIndex, saleKey, salesList } from './table.ts'

type Item = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

const sameRevision = {
  ConditionExpression: 'revision = :seen AND attribute_not_exists(deletedAt)',
}

/** The writers of a hot sale hold its cap nearly all the time, so a transaction on it is tried for a second at most. */
const maxTries = 8

export function dynamoSales({ client, name }: Table): SaleBook & CapReader {
  const read = async (saleId: SaleId) => {
    const get = new GetCommand({ TableName: name, Key: saleKey(saleId), ConsistentRead: true })
    return (await client.send(get)).Item
  }

  /** `conflict` is a condition that failed. Meeting another transaction says nothing about this one. */
  const transact = async (items: readonly (Item | undefined)[]): Promise<Saved> => {
    const TransactItems = items.filter((item) => item !== undefined)
    for (let tries = 1; ; tries += 1) {
      try {
        await client.send(new TransactWriteCommand({ TransactItems }))
        return 'saved'
      } catch (error) {
        if (cancellationReasons(error)?.some(conditionFailed)) return 'conflict'
        if (!isBusy(error) || tries === maxTries) throw error
      }
      await pause(backOffMs(tries))
    }
  }

  const auditPut = (audit: AuditEntry): Item => ({ Put: { TableName: name, Item: auditItem(audit) } })

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
      const sales: Sale[] = []
      let start: Record<string, unknown> | undefined
      do {
        const page = await client.send(
          new QueryCommand({
            TableName: name,
            IndexName: listIndex,
            KeyConditionExpression: 'listPk = :sales',
            ExpressionAttributeValues: { ':sales': salesList },
            ExclusiveStartKey: start,
          }),
        )
        for (const item of page.Items ?? []) sales.push(readSaleItem(item).sale)
        start = page.LastEvaluatedKey
      } while (start !== undefined)
      return sales
    },

    create: (sale, audit) =>
      transact([
        {
          Put: {
            TableName: name,
            Item: saleItem({ sale, revision: 1, settledStock: [] }),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        auditPut(audit),
      ]),

    save: (seen, next, { audit, cap }) =>
      transact([
        {
          Put: {
            TableName: name,
            Item: saleItem({ ...next, revision: seen + 1 }),
            ...sameRevision,
            ExpressionAttributeValues: { ':seen': seen },
          },
        },
        audit === undefined ? undefined : auditPut(audit),
        cap === undefined ? undefined : capItem(name, next.sale.saleId, cap),
      ]),

    remove: ({ revision, ...record }, audit) =>
      transact([
        {
          Put: {
            TableName: name,
            Item: deletedSaleItem({ ...record, revision: revision + 1 }, audit.when),
            ...sameRevision,
            ExpressionAttributeValues: { ':seen': revision },
          },
        },
        { Delete: { TableName: name, Key: capKey(record.sale.saleId) } },
        auditPut(audit),
      ]),

    async sold(saleId) {
      const get = new GetCommand({ TableName: name, Key: capKey(saleId), ConsistentRead: true })
      return Number((await client.send(get)).Item?.sold ?? 0)
    },
  }
}

/** The cap counts what may still be written, so that its condition needs no other item. */
function capItem(TableName: string, saleId: SaleId, cap: CapChange): Item {
  if (cap.kind === 'open') {
    const remaining = cap.stock === -1 ? {} : { remaining: cap.stock }
    return {
      Put: {
        TableName,
        Item: { ...capKey(saleId), ...remaining, sold: 0 },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    }
  }
  return {
    Update: {
      TableName,
      Key: capKey(saleId),
      UpdateExpression: 'ADD remaining :delta',
      ConditionExpression: 'attribute_exists(remaining)',
      ExpressionAttributeValues: { ':delta': cap.delta },
    },
  }
}
