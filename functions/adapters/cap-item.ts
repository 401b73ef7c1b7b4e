/**
 * The cap of a sale as an item of the table: what may still be sold, and what its standing orders hold. An unlimited
 * sale has no `remaining`, and no update here ever gives it one: it would begin to run out (S4).
 */
import * as z from 'zod/mini'
import type { SaleId } from '../../core/ids.ts'
import { parse, whole } from '../../core/parse.ts'
import type { SaleTotals } from '../order-life/order-ledger.ts'
import { UnexpectedItem } from './dynamodb.ts'
import { capKey } from './table.ts'
import type { TransactionItem } from './transaction.ts'

/** Units of several orders of one sale; `capped` is false for an unlimited stock. */
export type CapUnits = { quantity: number; orders: number; capped: boolean }

/** Fails when there is a cap already. */
export function openCap(TableName: string, saleId: SaleId, stock: number): TransactionItem {
  const remaining = stock === -1 ? {} : { remaining: stock }
  return {
    Put: {
      TableName,
      Item: { ...capKey(saleId), ...remaining, sold: 0, orders: 0 },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }
}

/** Fails for an unlimited sale, and when fewer units remain than are taken away. */
export function addToCap(TableName: string, saleId: SaleId, delta: number): TransactionItem {
  return {
    Update: {
      TableName,
      Key: capKey(saleId),
      UpdateExpression: 'ADD remaining :delta',
      ConditionExpression: delta < 0 ? 'remaining >= :less' : 'attribute_exists(remaining)',
      ExpressionAttributeValues: { ':delta': delta, ...(delta < 0 ? { ':less': -delta } : {}) },
    },
  }
}

/** Fails, with the old item, when less than `quantity` remains (I1), or the cap is not of the kind `capped` says. */
export function takeFromCap(TableName: string, saleId: SaleId, units: CapUnits): TransactionItem {
  const { quantity, orders, capped } = units
  return {
    Update: {
      TableName,
      Key: capKey(saleId),
      UpdateExpression: `ADD sold :quantity, orders :orders${capped ? ', remaining :less' : ''}`,
      ConditionExpression: capped
        ? 'remaining >= :quantity'
        : 'attribute_exists(pk) AND attribute_not_exists(remaining)',
      ExpressionAttributeValues: {
        ':quantity': quantity,
        ':orders': orders,
        ...(capped ? { ':less': -quantity } : {}),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

/** Fails, with the old item, when so much was not sold, or the cap is not of the kind `capped` says. */
export function giveBackToCap(TableName: string, saleId: SaleId, units: CapUnits): TransactionItem {
  const { quantity, orders, capped } = units
  const kind = capped ? 'attribute_exists(remaining)' : 'attribute_not_exists(remaining)'
  return {
    Update: {
      TableName,
      Key: capKey(saleId),
      UpdateExpression: `ADD sold :less, orders :fewer${capped ? ', remaining :quantity' : ''}`,
      ConditionExpression: `sold >= :quantity AND orders >= :orders AND ${kind}`,
      ExpressionAttributeValues: {
        ':quantity': quantity,
        ':orders': orders,
        ':less': -quantity,
        ':fewer': -orders,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

const max = Number.MAX_SAFE_INTEGER
const storedCap = z.object({
  remaining: z.optional(whole(0, max)),
  sold: whole(0, max),
  orders: whole(0, max),
})

/** What a cap says. Throws UnexpectedItem. */
export function readCap(item: Record<string, unknown>): SaleTotals {
  const cap = parse(storedCap, item)
  if (!cap.ok) throw new UnexpectedItem('a cap', cap.detail)
  const { remaining, sold, orders } = cap.value
  return { remaining: remaining ?? -1, sold, orders }
}
