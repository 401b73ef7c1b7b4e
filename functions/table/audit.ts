/** Audit entries as items of the table, by day. */
import { randomBytes } from 'node:crypto'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { type AuditRow, auditEntry } from '../../core/api/control-answers.ts'
import type { AuditAction } from '../../core/audit.ts'
import { parse } from '../../core/lib/parse.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { auditDay, auditKey } from './keys.ts'
import { type Item, queryAll } from './query.ts'
import type { TransactionItem } from './transaction.ts'

/** An audit entry as this version writes it. */
export type AuditEntry = Omit<AuditRow, 'what'> & { what: AuditAction }

/** An entry to be written together with the change that it is about. */
export function auditPut(TableName: string, entry: AuditEntry): TransactionItem {
  return { Put: { TableName, Item: auditItem(entry) } }
}

function auditItem(entry: AuditEntry): Record<string, unknown> {
  return { ...auditKey(entry.when, randomBytes(6).toString('hex')), ...entry }
}

/** Records a change of an order by a marketer, which no sale's record is saved with. */
export async function addAuditEntry({ client, name }: Table, entry: AuditEntry): Promise<void> {
  await client.send(new PutCommand({ TableName: name, Item: auditItem(entry) }))
}

/** A day's changes, newest first. `day` is `yyyy-mm-dd` (UTC). */
export async function readAudit(table: Table, day: string): Promise<readonly AuditRow[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :day',
    ExpressionAttributeValues: { ':day': auditDay(day) },
    ScanIndexForward: false,
    ConsistentRead: true,
  })
  return items.map(readAuditItem)
}

function readAuditItem(item: Item): AuditRow {
  const entry = parse(auditEntry, item)
  if (!entry.ok) throw new UnexpectedItem('an audit entry', entry.detail)
  return entry.value
}
