/** The block list in the table: an item per entry, and one that counts them. */
import * as z from 'zod/mini'
import type { BlockEntry } from '../../../core/api/control-answers.ts'
import { type Block, blockField, parseBlockField } from '../../../core/gate/block.ts'
import { whole } from '../../../core/lib/parse.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { type AuditEntry, auditPut } from '../audit.ts'
import { findItem, readStored, UnexpectedItem } from '../dynamodb.ts'
import { blockCountKey, blockKey, blocklistPk } from '../keys.ts'
import { type Item, queryPartition } from '../query.ts'
import { type TransactionItem, transact } from '../transaction.ts'

/** Every instance of the gate holds the whole list in memory, and reads it whole after each change. */
export const maxBlocks = 10_000

const storedBlock = z.object({
  who: z.string('must be a string'),
  when: whole(0, Number.MAX_SAFE_INTEGER),
  reason: z.optional(z.string('must be a string')),
  until: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
})

export async function allBlocks(table: Table): Promise<readonly BlockEntry[]> {
  const items = await queryPartition(table, blocklistPk)
  return items.map(readBlock)
}

export async function findBlock(table: Table, block: Block): Promise<BlockEntry | undefined> {
  const item = await findItem(table, keyOf(block))
  return item && readBlock(item)
}

/** A transaction has at most 100 items, and one audit entry names all its entries. */
export const maxEntriesPerTransaction = 40

/**
 * Adds, replaces or removes entries, together with one audit entry. `refused`: an entry said to be new exists, a former one has
 * changed, or the list is full; nothing was written. One call does not both add and remove.
 */
export function changeBlocks(
  table: Table,
  changes: readonly (
    | { entry: BlockEntry; former: BlockEntry | undefined }
    | { entry?: undefined; former: BlockEntry }
  )[],
  audit: AuditEntry,
): Promise<'written' | 'refused'> {
  const { name: TableName } = table
  const added = changes.filter(({ former }) => former === undefined).length
  const removed = changes.filter(({ entry }) => entry === undefined).length
  return transact(table, [
    ...changes.map((change): TransactionItem => {
      const { former } = change
      const condition = former === undefined ? { ConditionExpression: 'attribute_not_exists(pk)' } : asItWas(former)
      if (change.entry === undefined) return { Delete: { TableName, Key: keyOf(change.former), ...condition } }
      const { kind, value, ...said } = change.entry
      return { Put: { TableName, Item: { ...keyOf(change.entry), ...said }, ...condition } }
    }),
    ...(added > 0
      ? [count(TableName, added, 'attribute_not_exists(blocks) OR blocks <= :bound', maxBlocks - added)]
      : []),
    ...(removed > 0 ? [count(TableName, -removed, 'blocks >= :bound', removed)] : []),
    auditPut(TableName, audit),
  ])
}

const keyOf = (block: Block) => blockKey(blockField(block))

const asItWas = ({ when }: BlockEntry) => ({
  ConditionExpression: '#when = :when',
  ExpressionAttributeNames: { '#when': 'when' },
  ExpressionAttributeValues: { ':when': when },
})

/** Counts `change` entries. Fails when `condition` does not hold. */
function count(TableName: string, change: number, condition: string, bound: number): TransactionItem {
  return {
    Update: {
      TableName,
      Key: blockCountKey,
      UpdateExpression: 'ADD blocks :change',
      ConditionExpression: condition,
      ExpressionAttributeValues: { ':change': change, ':bound': bound },
    },
  }
}

function readBlock(item: Item): BlockEntry {
  const block = typeof item.sk === 'string' ? parseBlockField(item.sk) : undefined
  if (block === undefined) throw new UnexpectedItem('a block', 'its key must end with whom it is about')
  return { ...block, ...readStored('a block', storedBlock, item) }
}
