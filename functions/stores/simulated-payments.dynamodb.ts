/**
 * The payments of the simulated provider: one item for each order, as the JSON text of its record.
 * DynamoDB deletes it some days after its last change.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parse, readJson, whole } from '../../core/parse.ts'
import { paymentFacts } from '../../core/payment-event.ts'
import type { PaymentStore } from '../payment-simulator/book.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { simulatedPaymentsKey } from './table.ts'

/** Longer than a trial of a sale with its refunds lasts. */
const keptSeconds = 30 * 86_400

const amount = whole(0, Number.MAX_SAFE_INTEGER)
const text = z.string('must be a string')

const record = z.object({
  revision: amount,
  payments: z.array(
    z.extend(paymentFacts, {
      product: z._default(text, ''),
      until: amount,
      returnUrl: text,
      state: z.enum(['open', 'on-its-way', 'authorised', 'captured', 'released', 'failed']),
      arrivesAt: z.optional(amount),
      refunds: z.array(z.object({ refundId: text, amount })),
    }),
  ),
  messages: z.array(z.object({ id: text, body: text, isDelivered: z.boolean(), refundId: z.optional(text) })),
})

const stored = z.object({ record: text })

/** `clock` gives epoch ms. */
export function dynamoSimulatedPayments(
  { client, name: TableName }: Table,
  clock: () => number,
): PaymentStore {
  return {
    async read(orderId) {
      const Key = simulatedPaymentsKey(orderId)
      const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      if (Item === undefined) return undefined
      const item = parse(stored, Item)
      const read = item.ok ? readJson(record, item.value.record) : item
      if (!read.ok) throw new UnexpectedItem('the simulated payments of an order', read.detail)
      return read.value
    },
    async write(orderId, next) {
      const { revision } = next
      const put = new PutCommand({
        TableName,
        Item: {
          ...simulatedPaymentsKey(orderId),
          record: JSON.stringify(next),
          revision,
          expiresAt: Math.ceil(clock() / 1000) + keptSeconds,
        },
        ConditionExpression: 'attribute_not_exists(pk) OR revision = :before',
        ExpressionAttributeValues: { ':before': revision - 1 },
      })
      try {
        await client.send(put)
        return true
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false
        throw error
      }
    },
  }
}
