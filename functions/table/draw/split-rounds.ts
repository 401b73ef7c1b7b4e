/** Which round of the beacon is mixed into the announced split of red packets, if any: an item for each sale, written once. */
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import type { Table } from '../../lib/shop/table.ts'
import { findItem, readStored } from '../dynamodb.ts'
import { splitRoundKey } from '../keys.ts'
import { keepFirst } from './keep-first.ts'

const noRound = 'none'
const roundItem = z.object({ randomness: z.string().check(z.regex(/^(?:none|[0-9a-f]{64})$/)) })

/** The decision for a split: the randomness of its round in hexadecimal, absent where it is made without the round. */
export type SplitRound = { randomness?: string }

/** Undefined while it is not decided, so that no packet is loaded. @throws when the table is unavailable, UnexpectedItem */
export async function findSplitRound(table: Table, saleId: SaleId): Promise<SplitRound | undefined> {
  const item = await findItem(table, splitRoundKey(saleId))
  return item && readRound(item)
}

/** Decides it unless it is decided; resolves with what holds. @throws when the table is unavailable, UnexpectedItem */
export async function decideSplit(
  table: Table,
  saleId: SaleId,
  { randomness = noRound }: SplitRound,
): Promise<SplitRound> {
  return readRound(await keepFirst(table, splitRoundKey(saleId), { randomness }))
}

function readRound(item: unknown): SplitRound {
  const { randomness } = readStored('the round of a split', roundItem, item)
  return randomness === noRound ? {} : { randomness }
}
