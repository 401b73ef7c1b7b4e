/** The escrows of split stocks, one item each. Units are stored as a number, or as a map by the ids of variants. */
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import { whole } from '../../../core/lib/parse.ts'
import type { VariantUnits } from '../../../core/sale/variants.ts'
import { undivided } from '../../../core/stock/divided-units.ts'
import type { Escrow } from '../../../core/stock/escrow.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { findItem, readStored } from '../dynamodb.ts'
import { escrowKey } from '../keys.ts'
import type { Saved } from '../sale/sales.ts'
import { transact } from '../transaction.ts'

const max = Number.MAX_SAFE_INTEGER
const number = whole(0, max)

const anyUnits = whole(-max, max)
const units = z.pipe(
  z.union([anyUnits, z.record(z.string(), anyUnits)]),
  z.transform((stored): VariantUnits => (typeof stored === 'number' ? { [undivided]: stored } : stored)),
)

const transfer = z.strictObject({ number, delta: units, receiver: z.optional(number) })

const storedEscrow = z.strictObject({
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

/** Returns the escrow, undefined for a sale whose stock is not split; strongly consistent. */
export async function findEscrow(table: Table, saleId: SaleId): Promise<Escrow | undefined> {
  const item = await findItem(table, escrowKey(saleId))
  if (item === undefined) return undefined
  const { pk, sk, ...stored } = item
  return readStored('an escrow', storedEscrow, stored)
}

export async function addEscrow(table: Table, saleId: SaleId, escrow: Escrow): Promise<void> {
  await put(table, saleId, escrow, { ConditionExpression: 'attribute_not_exists(pk)' })
}

/** Saves `next` over the escrow of revision `seen`. */
export async function saveEscrow(table: Table, saleId: SaleId, seen: number, next: Escrow): Promise<Saved> {
  const condition = { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': seen } }
  return (await put(table, saleId, next, condition)) === 'written' ? 'saved' : 'conflict'
}

type Condition = { ConditionExpression: string; ExpressionAttributeValues?: Record<string, number> }

const put = (table: Table, saleId: SaleId, next: Escrow, condition: Condition) =>
  transact(table, [{ Put: { TableName: table.name, Item: { ...escrowKey(saleId), ...storedOf(next) }, ...condition } }])

function storedOf({ pool, shards, ...escrow }: Escrow) {
  return {
    ...escrow,
    pool: storedUnits(pool),
    shards: shards.map(({ granted, transfer, ...shardEscrow }) => ({
      ...shardEscrow,
      granted: storedUnits(granted),
      ...(transfer && { transfer: { ...transfer, delta: storedUnits(transfer.delta) } }),
    })),
  }
}

const storedUnits = (parts: VariantUnits) => parts[undivided] ?? parts

/** Saves the escrow after `step`, and retries on conflicts. @throws without an escrow, or when the lock was lost */
export async function changeEscrow(
  { table }: { table: Table },
  saleId: SaleId,
  signal: AbortSignal,
  step: (escrow: Escrow) => Escrow,
): Promise<Escrow> {
  for (;;) {
    signal.throwIfAborted()
    const escrow = await findEscrow(table, saleId)
    if (escrow === undefined) throw new Error(`${saleId} has no escrow`)
    const next = step(escrow)
    if (next === escrow || (await saveEscrow(table, saleId, escrow.revision, next)) === 'saved') return next
  }
}
