/** The block list in the table: an item for each entry, and one that counts them. */
import * as z from 'zod/mini'
import type { BlockEntry } from '../../../core/api/control-answers.ts'
import { type Block, blockField, parseBlockField } from '../../../core/gate/block.ts'
import { whole } from '../../../core/lib/parse.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type AuditEntry, auditPut } from '../audit.ts'
import { findItem, readStored, UnexpectedItem } from '../dynamodb.ts'
import { blockCountKey, blockKey, blocklistPk } from '../keys.ts'
import { allOf, type Item } from '../query.ts'
import { type TransactionItem, transact } from '../transaction.ts'

/** Every instance of the gate keeps all of it in memory, and reads it whole after each change. */
export const maxBlocks = 10_000

type BlockAdded = { kind: 'added' | 'there'; entry: BlockEntry } | { kind: 'full' }

const storedBlock = z.object({
  who: z.string('must be a string'),
  when: whole(0, Number.MAX_SAFE_INTEGER),
  reason: z.optional(z.string('must be a string')),
  until: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
})

export async function allBlocks(table: Table): Promise<readonly BlockEntry[]> {
  const items = await allOf(table, blocklistPk)
  return items.map(readBlock)
}

export async function findBlock(table: Table, block: Block): Promise<BlockEntry | undefined> {
  const item = await findItem(table, blockKey(blockField(block)))
  return item && readBlock(item)
}

/**
 * Adds the entry together with its audit entry. An entry that is there stays as it is. `full`: there are
 * `maxBlocks` already.
 */
export async function addBlock(table: Table, entry: BlockEntry, audit: AuditEntry): Promise<BlockAdded> {
  if ((await changeBlocks(table, [{ entry }], audit)) === 'written') return { kind: 'added', entry }
  const there = await findBlock(table, entry)
  return there === undefined ? { kind: 'full' } : { kind: 'there', entry: there }
}

/** Removes the block together with its audit entry, or changes nothing. */
export async function removeBlock(table: Table, block: Block, audit: AuditEntry): Promise<'removed' | 'not-there'> {
  const { name } = table
  const written = await transact(table, [
    { Delete: { TableName: name, Key: blockKey(blockField(block)), ConditionExpression: 'attribute_exists(pk)' } },
    count(name, -1, 'blocks > :none', { ':none': 0 }),
    auditPut(name, audit),
  ])
  return written === 'written' ? 'removed' : 'not-there'
}

/** Entries of one transaction: it has at most 100 items, and one audit entry names them all. */
export const mostAtOnce = 40

/**
 * Adds entries, or replaces their `former` ones, together with one audit entry. `refused`: an entry is there that is said to be
 * new, a former one has changed, or the list is full; nothing was written.
 */
export function changeBlocks(
  table: Table,
  changes: readonly { entry: BlockEntry; former?: BlockEntry | undefined }[],
  audit: AuditEntry,
): Promise<'written' | 'refused'> {
  const { name } = table
  const added = changes.filter(({ former }) => former === undefined).length
  return transact(table, [
    ...changes.map(({ entry: { kind, value, ...said }, former }) => ({
      Put: {
        TableName: name,
        Item: { ...blockKey(blockField({ kind, value })), ...said },
        ...(former === undefined ? { ConditionExpression: 'attribute_not_exists(pk)' } : asItWas(former)),
      },
    })),
    ...(added === 0
      ? []
      : [count(name, added, 'attribute_not_exists(blocks) OR blocks <= :most', { ':most': maxBlocks - added })]),
    auditPut(name, audit),
  ])
}

/** Removes entries that have ended, together with one audit entry. `refused`: one has changed, and nothing was written. */
export function endBlocks(
  table: Table,
  ended: readonly BlockEntry[],
  audit: AuditEntry,
): Promise<'written' | 'refused'> {
  const { name } = table
  return transact(table, [
    ...ended.map((entry) => ({ Delete: { TableName: name, Key: blockKey(blockField(entry)), ...asItWas(entry) } })),
    count(name, -ended.length, 'blocks >= :ended', { ':ended': ended.length }),
    auditPut(name, audit),
  ])
}

const asItWas = ({ when }: BlockEntry) => ({
  ConditionExpression: '#when = :when',
  ExpressionAttributeNames: { '#when': 'when' },
  ExpressionAttributeValues: { ':when': when },
})

/** Fails where `condition` does not hold. */
function count(TableName: string, change: number, condition: string, values: Record<string, number>): TransactionItem {
  return {
    Update: {
      TableName,
      Key: blockCountKey,
      UpdateExpression: 'ADD blocks :change',
      ConditionExpression: condition,
      ExpressionAttributeValues: { ':change': change, ...values },
    },
  }
}

function readBlock(item: Item): BlockEntry {
  const block = typeof item.sk === 'string' ? parseBlockField(item.sk) : undefined
  if (block === undefined) throw new UnexpectedItem('a block', 'its key must end with whom it is about')
  return { ...block, ...readStored('a block', storedBlock, item) }
}
