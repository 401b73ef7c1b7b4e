/** The total of a shopper's standing orders of a sale, as an item of the table. */
import type { Order } from '../../../core/orders/order.ts'
import { buyerKey } from '../keys.ts'
import type { TransactionItem } from '../transaction.ts'

type Buyer = Pick<Order, 'saleId' | 'shopperId'>

/** Fails when the shopper would have more than `limit` (I3). */
export function addToBuyer(TableName: string, buyer: Buyer, quantity: number, limit: number): TransactionItem {
  return quantity === limit ? takeWholeLimit(TableName, buyer, quantity) : addToTotal(TableName, buyer, quantity, limit)
}

/** An order of the whole limit is the whole total: a put costs the writer and the local table less. */
function takeWholeLimit(TableName: string, { saleId, shopperId }: Buyer, quantity: number): TransactionItem {
  return {
    Put: {
      TableName,
      Item: { ...buyerKey(saleId, shopperId), quantity },
      ConditionExpression: 'attribute_not_exists(pk) OR quantity = :none',
      ExpressionAttributeValues: { ':none': 0 },
    },
  }
}

function addToTotal(TableName: string, { saleId, shopperId }: Buyer, quantity: number, limit: number): TransactionItem {
  return {
    Update: {
      TableName,
      Key: buyerKey(saleId, shopperId),
      UpdateExpression: 'ADD quantity :quantity',
      ConditionExpression: 'attribute_not_exists(quantity) OR quantity <= :room',
      ExpressionAttributeValues: { ':quantity': quantity, ':room': limit - quantity },
    },
  }
}

/** Fails when the shopper has less than that. */
export function subtractFromBuyer(TableName: string, { saleId, shopperId }: Buyer, quantity: number): TransactionItem {
  return {
    Update: {
      TableName,
      Key: buyerKey(saleId, shopperId),
      UpdateExpression: 'ADD quantity :less',
      ConditionExpression: 'quantity >= :quantity',
      ExpressionAttributeValues: { ':quantity': quantity, ':less': -quantity },
    },
  }
}
