/** Sales, their caps and the audit of every change in DynamoDB; a change and its consequences are one transaction. */
import type { SaleId } from '../../../core/ids.ts'
import { changeParts, firstCapPart, unitsPerCapPart } from '../../../core/orders/cap-part.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { VariantUnits } from '../../../core/sale/variants.ts'
import { retry } from '../../lib/retry.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { type AuditEntry, auditPut } from '../audit.ts'
import { readBatch } from '../batch.ts'
import { findItem } from '../dynamodb.ts'
import { capPartKeys, escrowKey, saleKey } from '../keys.ts'
import { addToParts, closeCap, openCap } from '../stock/cap-item.ts'
import { hasAtMost, readUnits } from '../stock/cap-parts.ts'
import { maxTries, type TransactionItem, transact } from '../transaction.ts'
import { deletedSaleItem, isDeleted, readSaleItem, type SaleRecord, saleItem } from './sale-item.ts'

/** The cap of a new sale: its stock, the `budget` of all red packets in minor units, and the `units` of each variant. */
export type NewCap = { stock: number; budget?: number; units?: VariantUnits }

/** Units added to a cap, and their variants in a sale that has some. */
export type MovedUnits = { delta: number; units?: VariantUnits }

export type Saved = 'saved' | 'conflict'

export async function findSale(table: Table, saleId: SaleId): Promise<SaleRecord | undefined> {
  const item = await findItem(table, saleKey(saleId))
  return item === undefined || isDeleted(item) ? undefined : readSaleItem(item)
}

/** Returns those sales that exist, in one batched read for up to 100. */
export async function findSales(table: Table, saleIds: readonly SaleId[]): Promise<readonly Sale[]> {
  const items = await readBatch(table, [...new Set(saleIds)].map(saleKey))
  return items.filter((item) => !isDeleted(item)).map((item) => readSaleItem(item).sale)
}

export async function findDeletedSale(table: Table, saleId: SaleId): Promise<Sale | undefined> {
  const item = await findItem(table, saleKey(saleId))
  return item !== undefined && isDeleted(item) ? readSaleItem(item).sale : undefined
}

/** Adds a sale; `conflict` when the id is in use or was used by a deleted sale. */
export function addSale(table: Table, sale: Sale, audit: AuditEntry): Promise<Saved> {
  return saveItems(table, [
    {
      Put: {
        TableName: table.name,
        Item: saleItem({ sale, revision: 1, finishedStockChanges: [] }),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    auditPut(table.name, audit),
  ])
}

/** Saved together with a sale: its audit entry, and its new cap or the units that its cap gains or loses. */
type SaveOptions = { audit?: AuditEntry; cap?: NewCap; moved?: MovedUnits }

/** Saves `next` over the record of revision `seen`. */
export function saveSale(
  table: Table,
  seen: number,
  next: Omit<SaleRecord, 'revision'>,
  { audit, cap, moved }: SaveOptions = {},
): Promise<Saved> {
  const { name, unitsPerCapPart: unitsPerPart = unitsPerCapPart } = table
  const { saleId, kind } = next.sale
  const items = [
    salePut(name, saleItem({ ...next, revision: seen + 1 }), seen),
    ...(audit === undefined ? [] : [auditPut(name, audit)]),
  ]
  if (moved === undefined) {
    const opened = cap && openCap(name, saleId, { ...cap, variants: cap.units }, unitsPerPart)
    return saveItems(table, [...items, ...(opened ?? [])])
  }
  const { delta, units } = moved
  return kind === 'red-packet' || units !== undefined
    ? saveItems(table, [...items, ...addToParts(name, saleId, new Map([[firstCapPart, delta]]), units)])
    : saveWithUnits(table, { saleId, seen }, items, delta)
}

/** Deletes the sale, with its audit entry, but keeps its id taken. */
export function removeSale(table: Table, { revision, ...record }: SaleRecord, audit: AuditEntry): Promise<Saved> {
  const { name } = table
  return saveItems(table, [
    salePut(name, deletedSaleItem({ ...record, revision: revision + 1 }, audit.when), revision),
    ...[escrowKey(record.sale.saleId), ...capPartKeys(record.sale.saleId)].map((Key) => ({
      Delete: { TableName: name, Key },
    })),
    auditPut(name, audit),
  ])
}

/** Closes a budget of which `claimed` was credited; `conflict` when more was, or it is already closed. */
export function closeBudget(table: Table, saleId: SaleId, claimed: number, audit: AuditEntry): Promise<Saved> {
  const { name } = table
  return saveItems(table, [closeCap(name, saleId, { closedAt: audit.when, seen: claimed }), auditPut(name, audit)])
}

async function saveItems(table: Table, items: readonly TransactionItem[]): Promise<Saved> {
  return (await transact(table, items)) === 'written' ? 'saved' : 'conflict'
}

/**
 * Saves a sale and changes its cap by `delta`. Units move and are sold meanwhile, so a refused part is no conflict: a conflict
 * is a sale of another revision, or a cap with too few units.
 */
function saveWithUnits(
  table: Table,
  { saleId, seen }: { saleId: SaleId; seen: number },
  items: readonly TransactionItem[],
  delta: number,
): Promise<Saved> {
  const { name, unitsPerCapPart: unitsPerPart = unitsPerCapPart } = table
  return retry<Saved>(async (tries) => {
    const units = await readUnits(table, saleId)
    const change = units && changeParts(units, delta, unitsPerPart)
    if (change !== undefined) {
      if ((await saveItems(table, [...items, ...addToParts(name, saleId, change)])) === 'saved') return 'saved'
      if ((await findItem(table, saleKey(saleId)))?.revision !== seen) return 'conflict'
    } else if (units === undefined || (await hasAtMost(table, saleId, -delta - 1))) return 'conflict'
    if (tries === maxTries) throw new Error(`the units of ${saleId} change too fast to be counted`)
    return undefined
  })
}

/** Fails when the sale has another revision than `seen`, or was deleted. */
function salePut(TableName: string, Item: Record<string, unknown>, seen: number): TransactionItem {
  return {
    Put: {
      TableName,
      Item,
      ConditionExpression: 'revision = :seen AND attribute_not_exists(deletedAt)',
      ExpressionAttributeValues: { ':seen': seen },
    },
  }
}

/**
 * Returns the databases of a sale, one for each shard; undefined for an unknown sale. Strongly consistent, because this
 * function may have placed the sale a moment ago. A deleted sale keeps its placement, because its stock may still have to be
 * removed.
 */
export async function readPlacements(table: Table, saleId: SaleId): Promise<readonly string[] | undefined> {
  const item = await findItem(table, saleKey(saleId))
  return item && readSaleItem(item).sale.databases
}
