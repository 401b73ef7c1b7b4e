/**
 * The cap of a sale as an item of the table: what may still be sold, and the units and number of
 * its standing orders. An unlimited sale has no `remaining`, and no update here ever adds it: the
 * sale would begin to run out (S4). A cap of red packets also has `budget`, what the packets hold,
 * which never changes, and `claimed`, how much of it was credited.
 *
 * The cap may be in several parts, one item each: the first is there from the start and has all of
 * the above, the others have `remaining`, `sold` and `orders` of their own. An order's units are
 * taken from one part and come back to it.
 */
import * as z from 'zod/mini'
import { type CapUnits, firstCapPart, openParts, unitsPerCapPart } from '../../core/cap-part.ts'
import type { SaleId } from '../../core/ids.ts'
import { parse, whole } from '../../core/parse.ts'
import type { SaleTotals } from '../orders/order-ledger.ts'
import { UnexpectedItem } from './dynamodb.ts'
import { capKey, capPartKey } from './table.ts'
import type { TransactionItem } from './transaction.ts'

/** Units of several orders in one part of a cap; `capped` is false for an unlimited stock. */
export type TakenUnits = { part: number; quantity: number; orders: number; capped: boolean }

/**
 * Claims of one sale: their number, and what their packets hold together. `budget` is what all
 * packets of the sale hold.
 */
export type CapClaims = { claims: number; amount: number; budget: number }

/**
 * The items of a new cap. `budget` is for red packets, whose cap is one part: a claim compares with
 * all of the money. Fails when the cap exists.
 */
export function openCap(
  TableName: string,
  saleId: SaleId,
  { stock, budget }: { stock: number; budget?: number | undefined },
): TransactionItem[] {
  const parts = budget === undefined ? openParts(stock, unitsPerCapPart) : new Map([[firstCapPart, stock]])
  const money = budget === undefined ? {} : { budget, claimed: 0 }
  return [...parts].map(([part, units]) => ({
    Put: {
      TableName,
      Item: {
        ...capPartKey(saleId, part),
        ...(units === -1 ? {} : { remaining: units }),
        sold: 0,
        orders: 0,
        ...money,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }))
}

/**
 * Adds units to parts, less than 0 to take them away; a further part need not exist. Fails for an
 * unlimited sale, and when fewer units remain than are taken away.
 */
export function addToParts(TableName: string, saleId: SaleId, units: CapUnits): TransactionItem[] {
  return [...units].map(([part, delta]) => {
    const known = delta < 0 ? 'remaining >= :less' : 'attribute_exists(remaining)'
    const mayBeNew = part !== firstCapPart && delta >= 0
    return {
      Update: {
        TableName,
        Key: capPartKey(saleId, part),
        UpdateExpression: 'ADD remaining :delta, sold :none, orders :none',
        ConditionExpression: mayBeNew ? `attribute_not_exists(pk) OR ${known}` : known,
        ExpressionAttributeValues: { ':delta': delta, ':none': 0, ...(delta < 0 ? { ':less': -delta } : {}) },
      },
    }
  })
}

/**
 * Fails, with the old item if there is one, when less than `quantity` remains in the part (I1), or
 * the cap is not of the kind `capped` says.
 */
export function takeFromCap(TableName: string, saleId: SaleId, units: TakenUnits): TransactionItem {
  const { part, quantity, orders, capped } = units
  return {
    Update: {
      TableName,
      Key: capPartKey(saleId, part),
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

/**
 * Fails, with the old item, when fewer packets or less money remain than are claimed, when the
 * budget is closed, and when it differs: a condition can compare with the budget but not calculate
 * with it.
 */
export function takeForClaims(TableName: string, saleId: SaleId, taken: CapClaims): TransactionItem {
  const { claims, amount, budget } = taken
  return {
    Update: {
      TableName,
      Key: capKey(saleId),
      UpdateExpression: 'ADD sold :claims, orders :claims, remaining :fewer, claimed :amount',
      ConditionExpression:
        'remaining >= :claims AND budget = :budget AND claimed <= :room AND attribute_not_exists(closedAt)',
      ExpressionAttributeValues: {
        ':claims': claims,
        ':fewer': -claims,
        ':amount': amount,
        ':budget': budget,
        ':room': budget - amount,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

/**
 * Closes a red-packet budget: no more is credited, so that the returned money cannot be claimed as
 * well. `seen` is what was credited when that was computed. Fails when it has changed, when the
 * budget is closed, and for other sales.
 */
export function closeCap(
  TableName: string,
  saleId: SaleId,
  { closedAt, seen }: { closedAt: number; seen: number },
): TransactionItem {
  return {
    Update: {
      TableName,
      Key: capKey(saleId),
      UpdateExpression: 'SET closedAt = :now',
      ConditionExpression: 'claimed = :seen AND attribute_not_exists(closedAt)',
      ExpressionAttributeValues: { ':now': closedAt, ':seen': seen },
    },
  }
}

/** Fails, with the old item, when less was sold, or the cap is not of the kind `capped` says. */
export function giveBackToCap(TableName: string, saleId: SaleId, units: TakenUnits): TransactionItem {
  const { part, quantity, orders, capped } = units
  const kind = capped ? 'attribute_exists(remaining)' : 'attribute_not_exists(remaining)'
  return {
    Update: {
      TableName,
      Key: capPartKey(saleId, part),
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
  budget: z.optional(whole(0, max)),
  claimed: z.optional(whole(0, max)),
  closedAt: z.optional(whole(0, max)),
  redrivenAt: z.optional(whole(0, max)),
})

/**
 * The contents of all items of a cap together, of which there is at least one.
 * @throws UnexpectedItem
 */
export function readCapParts(items: readonly Record<string, unknown>[]): SaleTotals {
  const parts = items.map(readCap)
  const limited = parts.filter(({ remaining }) => remaining !== -1)
  if (limited.length > 0 && limited.length < parts.length) {
    throw new UnexpectedItem('a cap', 'a part is limited and another is not')
  }
  const sumOf = (what: 'remaining' | 'sold' | 'orders') => parts.reduce((sum, part) => sum + part[what], 0)
  return {
    ...Object.assign({}, ...parts),
    remaining: limited.length === 0 ? -1 : sumOf('remaining'),
    sold: sumOf('sold'),
    orders: sumOf('orders'),
  }
}

/**
 * The contents of one item of a cap.
 * @throws UnexpectedItem
 */
export function readCap(item: Record<string, unknown>): SaleTotals {
  const cap = parse(storedCap, item)
  if (!cap.ok) throw new UnexpectedItem('a cap', cap.detail)
  const { remaining, sold, orders, budget, claimed, closedAt, redrivenAt } = cap.value
  const totals = { remaining: remaining ?? -1, sold, orders, ...(redrivenAt !== undefined && { redrivenAt }) }
  if (budget === undefined || claimed === undefined) return totals
  return { ...totals, money: { budget, claimed, ...(closedAt !== undefined && { closedAt }) } }
}
