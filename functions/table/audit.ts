/** Audit entries as items of the table, by day. */
import { randomBytes } from 'node:crypto'
import { PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb'
import { type AuditRow, auditEntry } from '../../core/api/control-answers.ts'
import type { AuditAction } from '../../core/audit.ts'
import type { Table } from '../lib/shop/shop.ts'
import { readStored } from './dynamodb.ts'
import { auditDay, auditKey, type ItemKey } from './keys.ts'
import { type Item, queryAll } from './query.ts'
import { type TransactionItem, transact } from './transaction.ts'

/** An audit entry as this version writes it. */
export type AuditEntry = Omit<AuditRow, 'what'> & { what: AuditAction }

/** The condition on the item that is replaced. */
type PutCondition = Pick<PutCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>

/** Returns the transaction item of an entry, which is written together with its change. */
export function auditPut(TableName: string, entry: AuditEntry): TransactionItem {
  return { Put: { TableName, Item: auditItem(entry) } }
}

function auditItem(entry: AuditEntry): Record<string, unknown> {
  return { ...auditKey(entry.when, randomBytes(6).toString('hex')), ...entry }
}

/** Puts the item with the audit entry, or neither when `condition` fails. @throws when the table is unavailable */
export function putAudited(
  table: Table,
  item: ItemKey & Item,
  entry: AuditEntry,
  condition: PutCondition = {},
): Promise<'written' | 'refused'> {
  const Put = { TableName: table.name, Item: item, ...condition }
  return transact(table, [{ Put }, auditPut(table.name, entry)])
}

/** Writes an entry about a marketer's change of an order, which is not saved with the record of a sale. */
export async function addAuditEntry({ client, name }: Table, entry: AuditEntry): Promise<void> {
  await client.send(new PutCommand({ TableName: name, Item: auditItem(entry) }))
}

/** Returns a day's changes, newest first. `day` is `yyyy-mm-dd` (UTC). */
export async function readAudit(table: Table, day: string): Promise<readonly AuditRow[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :day',
    ExpressionAttributeValues: { ':day': auditDay(day) },
    ScanIndexForward: false,
    ConsistentRead: true,
  })
  return items.map((item) => readStored('an audit entry', auditEntry, item))
}
