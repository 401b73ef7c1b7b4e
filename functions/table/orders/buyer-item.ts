/** The total of a shopper's active orders of a sale, as an item of the table. */
import type { Order } from '../../../core/orders/order.ts'
import { buyerKey } from '../keys.ts'
import type { TransactionItem } from '../transaction.ts'

type Buyer = Pick<Order, 'saleId' | 'shopperId'>

/** Adds units to the shopper's total. Fails when it would exceed `limit` (I3). */
export function addToBuyer(TableName: string, buyer: Buyer, quantity: number, limit: number): TransactionItem {
  return quantity === limit ? takeWholeLimit(TableName, buyer, quantity) : addToTotal(TableName, buyer, quantity, limit)
}

/** Puts the total when the order takes the whole limit: a put costs the writer and the local table less than an update. */
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

/** Subtracts units from the shopper's total. Fails when the total is smaller. */
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
