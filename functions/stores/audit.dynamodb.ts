/** Audit entries as items of the table, by day. */
import { randomBytes } from 'node:crypto'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseSaleId } from '../../core/ids.ts'
import { parse, readBy, whole } from '../../core/parse.ts'
import type { AuditReader } from '../control/routes.ts'
import type { AuditEntry, AuditTrail, StoredAuditEntry } from '../sales/sale-book.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { type Item, queryAll } from './query.ts'
import { auditDay, auditKey } from './table.ts'

const facts = z.nullable(z.record(z.string(), z.unknown()))

const storedEntry = z.object({
  who: z.string('must be a string'),
  what: z.string('must be a string'),
  saleId: z.nullable(readBy(parseSaleId, 'must be a sale id')),
  when: whole(0, Number.MAX_SAFE_INTEGER),
  before: facts,
  after: facts,
  requestId: z.string('must be a string'),
})

export function auditItem(entry: AuditEntry): Record<string, unknown> {
  return { ...auditKey(entry.when, randomBytes(6).toString('hex')), ...entry }
}

export function dynamoAudit(table: Table): AuditReader & AuditTrail {
  const { client, name } = table
  return {
    async add(entry) {
      await client.send(new PutCommand({ TableName: name, Item: auditItem(entry) }))
    },
    async of(day) {
      const items = await queryAll(table, {
        KeyConditionExpression: 'pk = :day',
        ExpressionAttributeValues: { ':day': auditDay(day) },
        ScanIndexForward: false,
        ConsistentRead: true,
      })
      return items.map(readAuditItem)
    },
  }
}

function readAuditItem(item: Item): StoredAuditEntry {
  const entry = parse(storedEntry, item)
  if (!entry.ok) throw new UnexpectedItem('an audit entry', entry.detail)
  return entry.value
}
