/** The counter behind the numbers of orders, and the orders by their number. */
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseOrderId } from '../../../core/ids.ts'
import { whole } from '../../../core/lib/parse.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { OrderNumber } from '../../../core/orders/order-number.ts'
import type { Table } from '../../lib/shop/table.ts'
import { isBusy, isUnavailable, readStored } from '../dynamodb.ts'
import { numberIndex, numbersKey } from '../keys.ts'
import type { NoAnswer } from '../stock/cap-parts.ts'
import { findWrittenOrder } from './orders.ts'

const counter = z.object({ taken: whole(1, Number.MAX_SAFE_INTEGER) })

/** Takes `count` counts that no other call gets, from `first` on. Those of a lost answer are left out. */
export async function takeOrderCounts(
  { client, name }: Table,
  count: number,
): Promise<{ kind: 'taken'; first: number } | NoAnswer> {
  const add = new UpdateCommand({
    TableName: name,
    Key: numbersKey,
    UpdateExpression: 'ADD taken :count',
    ExpressionAttributeValues: { ':count': count },
    ReturnValues: 'ALL_NEW',
  })
  try {
    const { Attributes } = await client.send(add)
    const { taken } = readStored('the counter of orders', counter, Attributes)
    return { kind: 'taken', first: taken - count }
  } catch (error) {
    if (isBusy(error)) return { kind: 'busy' }
    if (isUnavailable(error)) return { kind: 'unavailable', cause: error }
    throw error
  }
}

/** The index is eventually consistent: an order is found within a second of its writing. */
export async function findOrderOfNumber(table: Table, number: OrderNumber): Promise<Order | undefined> {
  const query = new QueryCommand({
    TableName: table.name,
    IndexName: numberIndex,
    KeyConditionExpression: 'orderNumber = :number',
    ExpressionAttributeValues: { ':number': number },
  })
  const { Items: [entry] = [] } = await table.client.send(query)
  const orderId = parseOrderId(entry?.sk)
  return orderId === undefined ? undefined : findWrittenOrder(table, orderId)
}
