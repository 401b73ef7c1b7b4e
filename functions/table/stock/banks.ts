/**
 * The banks of split stocks, one item for each sale. Units are a number there, in a sale with variants a
 * map of numbers by their ids.
 */
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import { whole } from '../../../core/lib/parse.ts'
import type { VariantUnits } from '../../../core/sale/variants.ts'
import { undivided } from '../../../core/stock/divided-units.ts'
import type { Bank } from '../../../core/stock/rights.ts'
import type { Table } from '../../lib/shop/table.ts'
import { findItem, readStored } from '../dynamodb.ts'
import { bankKey } from '../keys.ts'
import type { Saved } from '../sale/sales.ts'
import { transact } from '../transaction.ts'

const max = Number.MAX_SAFE_INTEGER
const number = whole(0, max)

const anyUnits = whole(-max, max)
const units = z.pipe(
  z.union([anyUnits, z.record(z.string(), anyUnits)]),
  z.transform((stored): VariantUnits => (typeof stored === 'number' ? { [undivided]: stored } : stored)),
)

const transfer = z.strictObject({ number, delta: units, borrower: z.optional(number) })

const storedBank = z.strictObject({
  revision: number,
  pool: units,
  change: number,
  refused: z.optional(number),
  shards: z.array(
    z.strictObject({
      granted: units,
      generation: number,
      transfer: z.optional(transfer),
      recovery: z.optional(z.enum(['started', 'reissued'])),
    }),
  ),
})

/** Undefined for a sale whose stock is not split. Strongly consistent. */
export async function findBank(table: Table, saleId: SaleId): Promise<Bank | undefined> {
  const item = await findItem(table, bankKey(saleId))
  return item && readBank(item)
}

/** A bank that is there stays as it is. */
export async function addBank(table: Table, saleId: SaleId, bank: Bank): Promise<void> {
  await put(table, saleId, bank, { ConditionExpression: 'attribute_not_exists(pk)' })
}

/** Saves `next` over the bank of revision `seen`. */
export async function saveBank(table: Table, saleId: SaleId, seen: number, next: Bank): Promise<Saved> {
  const condition = { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': seen } }
  return (await put(table, saleId, next, condition)) === 'written' ? 'saved' : 'conflict'
}

type Condition = { ConditionExpression: string; ExpressionAttributeValues?: Record<string, number> }

const put = (table: Table, saleId: SaleId, bank: Bank, condition: Condition) =>
  transact(table, [{ Put: { TableName: table.name, Item: { ...bankKey(saleId), ...storedOf(bank) }, ...condition } }])

function storedOf({ pool, shards, ...bank }: Bank) {
  return {
    ...bank,
    pool: storedUnits(pool),
    shards: shards.map(({ granted, transfer, ...rights }) => ({
      ...rights,
      granted: storedUnits(granted),
      ...(transfer && { transfer: { ...transfer, delta: storedUnits(transfer.delta) } }),
    })),
  }
}

const storedUnits = (parts: VariantUnits) => parts[undivided] ?? parts

/** @throws UnexpectedItem */
function readBank({ pk, sk, ...item }: Record<string, unknown>): Bank {
  return readStored('a bank', storedBank, item)
}

/**
 * Saves the bank after `step`, however often others save it meanwhile; resolves with what was saved.
 * @throws when there is no bank, or the lock was lost
 */
export async function changeBank(
  { table }: { table: Table },
  saleId: SaleId,
  signal: AbortSignal,
  step: (bank: Bank) => Bank,
): Promise<Bank> {
  for (;;) {
    signal.throwIfAborted()
    const bank = await findBank(table, saleId)
    if (bank === undefined) throw new Error(`${saleId} has no bank`)
    const next = step(bank)
    if (next === bank || (await saveBank(table, saleId, bank.revision, next)) === 'saved') return next
  }
}
