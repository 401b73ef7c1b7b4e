/** Converts a sale to an item of the table and back. */
import * as z from 'zod/mini'
import { whole } from '../../../core/lib/parse.ts'
import { isTimeZone } from '../../../core/lib/text.ts'
import { roles } from '../../../core/roles.ts'
import { flags } from '../../../core/sale/phase.ts'
import { type Sale, saleDefinition } from '../../../core/sale/sale.ts'
import { listedTitles } from '../../../core/sale/sale-search.ts'
import { readStored } from '../dynamodb.ts'
import { archivedSalesList, draftsList, listedSale, saleKey, salePlace, salesList } from '../keys.ts'

const max = Number.MAX_SAFE_INTEGER

/**
 * `changeId` is the marketer's key of one change; `number` orders the changes of one sale. `units` are those of each variant by
 * its id, in a sale that has some.
 */
const changeName = {
  changeId: z.string('must be a string'),
  number: whole(1, max),
  delta: whole(-max, max),
  units: z.optional(z.record(z.string(), whole(-max, max))),
}

const pendingStock = z.strictObject({
  ...changeName,
  who: z.string('must be a string'),
  requestId: z.string('must be a string'),
  role: z.optional(z.enum(roles, 'must be a role')),
})

/** A stock change that has begun and may not have reached both Redis and the cap. */
export type PendingStock = z.infer<typeof pendingStock>

const finishedChange = z.strictObject({ ...changeName, total: whole(-1, max), booked: whole(0, max) })

/** A finished stock change, with the counters of Redis just after it, which answer a repeat. */
export type FinishedChange = z.infer<typeof finishedChange>

/**
 * `revision` rises with every save, and a save names the revision that it read, so only one of two concurrent saves succeeds.
 * The number of a stock change is the revision that saves it. `finishedStockChanges` holds the last changes, oldest first.
 * `removedAt` (epoch ms) is when the keys of an archived sale were removed from Redis; from then on it is on the list of
 * archived sales.
 */
export type SaleRecord = {
  sale: Sale
  revision: number
  pendingStock?: PendingStock
  finishedStockChanges: readonly FinishedChange[]
  removedAt?: number
}

const storedState = z.strictObject({
  windowIndex: whole(0, max),
  flag: z.enum(flags, 'must be a flag'),
  epoch: whole(0, max),
  startToken: z.nullable(z.string('must be a string')),
  version: whole(1, max),
  warmed: z.boolean('must be true or false'),
  databases: z.array(z.string('must be a string')),
  createdAt: whole(0, max),
  updatedAt: whole(0, max),
  archivedAt: z.optional(whole(0, max)),
  removedAt: z.optional(whole(0, max)),
  endedAt: z.optional(whole(0, max)),
  pausedWithAll: z.optional(z.boolean('must be true or false')),
  armed: z.optional(z.boolean('must be true or false')),
  revision: whole(1, max),
  pendingStock: z.optional(pendingStock),
  finishedStockChanges: z.array(finishedChange),
})

function listOfSale({ sale, removedAt }: Pick<SaleRecord, 'sale' | 'removedAt'>): string {
  if (removedAt !== undefined) return archivedSalesList
  return sale.warmed ? salesList : draftsList
}

/** Returns the item of a record, with the sale's fields side by side, so that an operator can read them. */
export function saleItem({
  sale,
  revision,
  pendingStock,
  finishedStockChanges,
  removedAt,
}: SaleRecord): Record<string, unknown> {
  return {
    ...saleKey(sale.saleId),
    listPk: listOfSale({ sale, removedAt }),
    listSk: listedSale(salePlace(sale), listedTitles(sale)),
    ...sale,
    revision,
    removedAt,
    pendingStock,
    finishedStockChanges,
  }
}

/** Returns the item of a deleted sale, which is on no list and keeps its id from being reused. `deletedAt` is epoch ms. */
export function deletedSaleItem(record: SaleRecord, deletedAt: number): Record<string, unknown> {
  const { listPk, listSk, ...item } = saleItem(record)
  return { ...item, deletedAt }
}

export function isDeleted(item: Record<string, unknown>): boolean {
  return 'deletedAt' in item
}

/** Reads the record in an item. @throws UnexpectedItem */
export function readSaleItem(item: Record<string, unknown>): SaleRecord {
  const { pk, sk, listPk, listSk, deletedAt, ...attributes } = item
  const kept: Record<string, unknown> = {}
  const defined: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(attributes)) {
    // An earlier version, or a newer runtime, may have accepted zones that are unknown here. Drop the zone; the times stay.
    if (name === 'timeZone' && !isTimeZone(String(value))) continue
    const side = Object.hasOwn(storedState.def.shape, name) ? kept : defined
    side[name] = value
  }
  const definition = readStored('a sale', saleDefinition, defined)
  const state = readStored('a sale', storedState, kept)
  const { revision, pendingStock, finishedStockChanges, removedAt, archivedAt, ...rest } = state
  const sale: Sale = { ...definition, ...rest, ...(archivedAt !== undefined && { archivedAt }) }
  return {
    sale,
    revision,
    finishedStockChanges,
    ...(pendingStock !== undefined && { pendingStock }),
    ...(removedAt !== undefined && { removedAt }),
  }
}
