/** Reads the table's data of a whole sale: its cap, and all its orders. */
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { isBusy, readStored } from '../dynamodb.ts'
import { capKey, orderParts } from '../keys.ts'
import { storedFacts } from '../orders/order-item.ts'
import { partPages } from '../partitions.ts'
import { type Item, queryAll } from '../query.ts'
import { readCapParts, type SaleTotals } from '../stock/cap-item.ts'
import { readCapItems, readCapSnapshot } from '../stock/cap-parts.ts'
import { transact } from '../transaction.ts'

export type ListedOrder = Pick<
  Order,
  'orderId' | 'shopperId' | 'quantity' | 'variant' | 'packet' | 'status' | 'reservedAt'
>

const listedOrder = z.object(storedFacts)

/** Attribute names that DynamoDB reserves need a placeholder. */
const onlyListed = {
  ProjectionExpression: 'sk, listPk, listSk, quantity, variant, packet, #status',
  ExpressionAttributeNames: { '#status': 'status' },
}

/** Returns the totals of a sale, undefined before it was warmed. */
export async function saleTotals(table: Table, saleId: SaleId): Promise<SaleTotals | undefined> {
  const items = await readCapItems(table, saleId)
  return items.length === 0 ? undefined : readCapParts(items)
}

/** Returns the totals by one query, which reads less when a cap has few parts: for lists of sales. */
export async function saleTotalsByQuery(table: Table, saleId: SaleId): Promise<SaleTotals | undefined> {
  const { pk, sk } = capKey(saleId)
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :sale AND begins_with(sk, :cap)',
    ExpressionAttributeValues: { ':sale': pk, ':cap': sk },
    ConsistentRead: true,
  })
  return items.length === 0 ? undefined : readCapParts(items)
}

/**
 * Returns the totals with all parts of the cap read at the same moment; undefined also when one of them changed meanwhile.
 * `sold` and `orders` of `saleTotals` count each order of one moment between call and answer; its `remaining` may miss units
 * that move between parts.
 */
export async function saleTotalsSnapshot(table: Table, saleId: SaleId): Promise<SaleTotals | undefined> {
  try {
    const items = await readCapSnapshot(table, saleId)
    return items.length === 0 ? undefined : readCapParts(items)
  } catch (error) {
    if (isBusy(error)) return undefined
    throw error
  }
}

/** Yields every order of the sale, in pages. Not a snapshot: orders written meanwhile may be missing. */
export async function* saleOrderPages(table: Table, saleId: SaleId): AsyncGenerator<readonly ListedOrder[]> {
  for await (const page of partPages(table, orderParts(saleId), onlyListed)) yield page.map(readListed)
}

/**
 * Records that dead letters of the sale are redriven at `now` (epoch ms), as `saleTotals` shows. An unknown sale has no cap:
 * its redriven messages become dead letters again. Safe to repeat.
 * @throws when the table is unavailable
 */
export async function recordRedrive(table: Table, saleId: SaleId, now: number): Promise<void> {
  const note = {
    Update: {
      TableName: table.name,
      Key: capKey(saleId),
      UpdateExpression: 'SET redrivenAt = :now',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':now': now },
    },
  }
  await transact(table, [note])
}

function readListed(item: Item): ListedOrder {
  const order = readStored('an order', listedOrder, item)
  const { sk: orderId, listPk: shopperId, listSk: reservedAt, ...facts } = order
  return { orderId, shopperId, reservedAt, ...facts }
}
