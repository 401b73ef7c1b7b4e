/** The order numbers for people: their counter, and the orders by number. */
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import { whole } from '../../../core/lib/parse.ts'
import type { Order } from '../../../core/orders/order.ts'
import { type OrderNumber, orderNumberOf } from '../../../core/orders/order-number.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { isBusy, isUnavailable, readStored } from '../dynamodb.ts'
import { numberIndex, numbersKey } from '../keys.ts'
import type { TableFailure } from '../stock/cap-parts.ts'
import type { OrderWriter } from './order-writer.ts'
import { findWrittenOrder } from './orders.ts'

const counter = z.object({ taken: whole(1, Number.MAX_SAFE_INTEGER) })

/** Reserves `count` consecutive counts from `first` on. Skips counts whose response was lost. */
async function reserveNumbers(
  { client, name }: Table,
  count: number,
): Promise<{ kind: 'taken'; first: number } | TableFailure> {
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

/** Returns the order of a number. The index is eventually consistent: an order is found within a second of its writing. */
export async function orderIdOfNumber(table: Table, number: OrderNumber): Promise<OrderId | undefined> {
  const query = new QueryCommand({
    TableName: table.name,
    IndexName: numberIndex,
    KeyConditionExpression: 'orderNumber = :number',
    ExpressionAttributeValues: { ':number': number },
  })
  const { Items: [entry] = [] } = await table.client.send(query)
  return parseOrderId(entry?.sk)
}

export async function findOrderOfNumber(table: Table, number: OrderNumber): Promise<Order | undefined> {
  const orderId = await orderIdOfNumber(table, number)
  return orderId === undefined ? undefined : findWrittenOrder(table, orderId)
}

/** Counts that a writer reserves per call: enough for two batches of orders. */
const numbersPerCall = 100

/**
 * Wraps a writer so that it numbers orders. The first write of an order decides its number; that of a repeat is never stored.
 * Numbers are unique, with gaps; red packets have numbers of their own.
 */
export function withOrderNumbers(table: Table, writer: OrderWriter): OrderWriter {
  let free = { next: 0, end: 0 }

  return {
    async write(chunk) {
      const named = chunk.filter(({ order }) => order.packet === undefined).length
      if (free.end - free.next < named) {
        const size = Math.max(named, numbersPerCall)
        const taken = await reserveNumbers(table, size)
        if (taken.kind !== 'taken') return taken
        free = { next: taken.first, end: taken.first + size }
      }
      return writer.write(
        chunk.map((entry) => {
          const { order } = entry
          if (order.packet !== undefined) return entry
          return { ...entry, order: { ...order, orderNumber: orderNumberOf(free.next++) } }
        }),
      )
    },
  }
}
