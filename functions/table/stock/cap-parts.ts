/** The parts of a sale's cap in DynamoDB. */
import { TransactGetCommand } from '@aws-sdk/lib-dynamodb'
import type { SaleId } from '../../../core/ids.ts'
import type { CapUnits } from '../../../core/orders/cap-part.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { readBatch } from '../batch.ts'
import { isBusy, isUnavailable } from '../dynamodb.ts'
import { capPartKeys } from '../keys.ts'
import type { Item } from '../query.ts'
import { runTransaction } from '../transaction.ts'
import { addToParts, readCap, readCapParts } from './cap-item.ts'

/** The units left in each part, by its number; undefined for an unlimited stock. */
type Parts = { kind: 'parts'; units: readonly number[] | undefined }

/** Nothing was read or written. After `busy` a retry may succeed. */
export type TableFailure = { kind: 'busy' } | { kind: 'unavailable'; cause: unknown }

type PartsRead = Parts | TableFailure

type PartsMoved = { kind: 'written' } | { kind: 'refused' } | TableFailure

/** Reads the parts one by one: moving units may be missing, or counted twice. @throws when the cap is missing */
export function findCapParts(table: Table, saleId: SaleId): Promise<PartsRead> {
  return readPartsBy(readCapItems, table, saleId)
}

/** Reads all parts at the same moment; busy while one of them changes. @throws when the cap is missing */
export function findCapPartsSnapshot(table: Table, saleId: SaleId): Promise<PartsRead> {
  return readPartsBy(readCapSnapshot, table, saleId)
}

async function readPartsBy(read: typeof readCapItems, table: Table, saleId: SaleId): Promise<PartsRead> {
  try {
    const items = await read(table, saleId)
    if (items.length === 0) throw new Error(`the cap of ${saleId} is missing`)
    return { kind: 'parts', units: unitsIn(saleId, items) }
  } catch (error) {
    if (isBusy(error)) return { kind: 'busy' }
    if (isUnavailable(error)) return { kind: 'unavailable', cause: error }
    throw error
  }
}

/** Moves units between parts of a cap in one transaction. Refused when a part has less than is taken from it. */
export async function moveCapUnits(table: Table, saleId: SaleId, units: CapUnits): Promise<PartsMoved> {
  const tried = await runTransaction(table, addToParts(table.name, saleId, units))
  return tried.kind === 'refused' ? { kind: 'refused' } : tried
}

/** Returns the existing items of a cap, each as it is when it is read. */
export function readCapItems(table: Table, saleId: SaleId): Promise<readonly Item[]> {
  return readBatch(table, capPartKeys(saleId))
}

/** Returns the items of a cap, all at one moment. @throws TransactionCanceledException when one is changed meanwhile */
export async function readCapSnapshot({ client, name }: Table, saleId: SaleId): Promise<readonly Item[]> {
  const TransactItems = capPartKeys(saleId).map((Key) => ({ Get: { TableName: name, Key } }))
  const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems }))
  return Responses.flatMap(({ Item }) => Item ?? [])
}

/** Returns a text that changes with each change of a limited stock, even if as many units were sold as returned. */
export async function capState(table: Table, saleId: SaleId): Promise<string> {
  const items = await readCapItems(table, saleId)
  const sumOf = (name: string) => items.reduce((sum, { [name]: value = 0 }) => sum + Number(value), 0)
  return ['remaining', 'gained'].map(sumOf).join(' ')
}

/** Returns the units left by part; undefined without a cap, and for an unlimited stock. */
export async function readUnits(table: Table, saleId: SaleId): Promise<readonly number[] | undefined> {
  return unitsIn(saleId, await readCapItems(table, saleId))
}

/** True when all parts together had at most `max` units at one moment; false also when they changed meanwhile. */
export async function hasAtMost(table: Table, saleId: SaleId, max: number): Promise<boolean> {
  try {
    const units = unitsIn(saleId, await readCapSnapshot(table, saleId))
    return units !== undefined && units.reduce((sum, left) => sum + left, 0) <= max
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

function unitsIn(saleId: SaleId, items: readonly Item[]): readonly number[] | undefined {
  const { remaining } = items.length === 0 ? { remaining: -1 } : readCapParts(items)
  if (remaining === -1) return undefined
  const bySk = new Map(items.map((item) => [item.sk, readCap(item).remaining]))
  return capPartKeys(saleId).map(({ sk }) => bySk.get(sk) ?? 0)
}
