/** Batched reads, writes and deletes by key. Items that a throttled table leaves unprocessed are retried with backoff. */
import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { slicesOf } from '../../core/lib/slices.ts'
import { retry } from '../lib/retry.ts'
import type { Table } from '../lib/shop/shop.ts'
import { isBusy } from './dynamodb.ts'
import type { ItemKey } from './keys.ts'
import type { Item } from './query.ts'

/** DynamoDB's limits of one batch. */
const maxReads = 100
const maxWrites = 25

/** Retries for at most a second, then leaves the remaining keys to the caller's retry. */
const maxTries = 8

/** Returns the items that exist under `keys`, unordered; strongly consistent. `keys` must be distinct. */
export async function readBatch({ client, name }: Table, keys: readonly ItemKey[]): Promise<readonly Item[]> {
  const items: Item[] = []
  await inBatches(keys, maxReads, async (Keys: Item[]) => {
    const RequestItems = { [name]: { Keys, ConsistentRead: true } }
    const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems }))
    items.push(...(Responses?.[name] ?? []))
    return UnprocessedKeys?.[name]?.Keys ?? []
  })
  return items
}

/** Returns the item of each source that has one, with its source, in order; strongly consistent. Keys must be distinct. */
export async function readEach<T>(
  table: Table,
  sources: readonly T[],
  keyOf: (source: T) => ItemKey,
): Promise<{ of: T; item: Item }[]> {
  const placeOf = ({ pk, sk }: Item | ItemKey) => `${pk} ${sk}`
  const items = new Map((await readBatch(table, sources.map(keyOf))).map((item) => [placeOf(item), item]))
  return sources.flatMap((of) => {
    const item = items.get(placeOf(keyOf(of)))
    return item === undefined ? [] : [{ of, item }]
  })
}

/** Deletes the items under `keys`; missing ones are ignored. `keys` must be distinct. */
export async function deleteBatch({ client, name }: Table, keys: readonly ItemKey[]): Promise<void> {
  await inBatches(keys, maxWrites, async (Keys: Item[]) => {
    const RequestItems = { [name]: Keys.map((Key) => ({ DeleteRequest: { Key } })) }
    const { UnprocessedItems } = await client.send(new BatchWriteCommand({ RequestItems }))
    const left = UnprocessedItems?.[name] ?? []
    return left.map(({ DeleteRequest }) => DeleteRequest?.Key).filter((Key) => Key !== undefined)
  })
}

/** Writes the items, replacing existing ones. Their keys must be distinct. */
export async function putBatch({ client, name }: Table, items: readonly (Item & ItemKey)[]): Promise<void> {
  await inBatches(items, maxWrites, async (some: Item[]) => {
    const RequestItems = { [name]: some.map((Item) => ({ PutRequest: { Item } })) }
    const { UnprocessedItems } = await client.send(new BatchWriteCommand({ RequestItems }))
    const left = UnprocessedItems?.[name] ?? []
    return left.map(({ PutRequest }) => PutRequest?.Item).filter((Item) => Item !== undefined)
  })
}

/** Sends `keys` in batches; `send` returns the keys it did not process. @throws what `send` throws, and when keys remain */
async function inBatches(
  keys: readonly ItemKey[],
  size: number,
  send: (keys: Item[]) => Promise<Item[]>,
): Promise<void> {
  for (const some of slicesOf(keys, size)) {
    let left: Item[] = some
    await retry(async (tries) => {
      try {
        left = await send(left)
      } catch (error) {
        if (!isBusy(error) || tries === maxTries) throw error
        return undefined
      }
      if (left.length === 0) return true
      if (tries === maxTries) throw new Error(`${left.length} items of a batch were not processed`)
      return undefined
    })
  }
}
