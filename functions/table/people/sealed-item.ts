/**
 * An item with personal data: `sealed`, its content encrypted for its owner, and `expiresAt`, after which DynamoDB deletes it
 * within days. An expired item reads as missing.
 */
import type * as z from 'zod/mini'
import { parse } from '../../../core/lib/parse.ts'
import type { Purpose, Sealer } from '../../lib/sealer.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { readBatch } from '../batch.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import type { ItemKey } from '../keys.ts'
import type { Item } from '../query.ts'

/** Returns the sealed attributes. `expiresAt` is in epoch ms; DynamoDB expects seconds. */
export async function sealedItem(
  sealer: Sealer,
  purpose: Purpose,
  content: Record<string, unknown>,
  expiresAt: number,
) {
  return { sealed: await sealer.seal(purpose, content), expiresAt: Math.ceil(expiresAt / 1000) }
}

/** False for an item that is expired at `now`, epoch ms. */
export function isKept({ expiresAt }: Item, now: number): boolean {
  return Number(expiresAt) * 1000 > now
}

/** Opens a sealed item and reads it by `schema`. @throws UnexpectedItem when no key opens it, or it does not fit */
export async function openItem<S extends z.core.$ZodType>(
  sealer: Sealer,
  purpose: Purpose,
  { sealed }: Item,
  schema: S,
): Promise<z.output<S>> {
  const content = await sealer.open(purpose, String(sealed))
  // The sealer marks the owner in the audience.
  const { aud, ...own } = content ?? {}
  const read = parse(schema, own)
  if (content !== undefined && read.ok) return read.value
  throw new UnexpectedItem(`a ${purpose.purpose}`, 'no key opens it, or its content is not one')
}

/** Reads and opens the unexpired items of distinct `keys`; `open` gives the id and value. Strongly consistent. */
export async function openKept<Id, Opened>(
  { table, clock }: { table: Table; clock: () => number },
  keys: readonly ItemKey[],
  open: (item: Item) => Promise<readonly [Id, Opened]>,
): Promise<ReadonlyMap<Id, Opened>> {
  const items = await readBatch(table, keys)
  return new Map(await Promise.all(items.filter((item) => isKept(item, clock())).map(open)))
}
