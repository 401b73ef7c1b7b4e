/** Payments of the simulated provider: one item for each order, which DynamoDB deletes some days later. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { OrderId } from '../../../core/ids.ts'
import { parse, readJson, whole } from '../../../core/lib/parse.ts'
import { paymentFacts } from '../../../core/orders/payment-event.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { conditionHeld, findItem, UnexpectedItem } from '../dynamodb.ts'
import { simulatedPaymentsKey } from '../keys.ts'

const amount = whole(0, Number.MAX_SAFE_INTEGER)
const text = z.string('must be a string')

export type PaymentFacts = z.infer<typeof paymentFacts>

/**
 * `product` is the description on the payment page, in `language`. `until` is when the shop stops waiting for it, epoch ms;
 * `returnUrl` is where the shopper goes afterwards. `amount` is in minor units by ISO 4217.
 */
const newPayment = z.extend(paymentFacts, {
  product: text,
  language: z.optional(text),
  until: amount,
  returnUrl: text,
})

export type NewPayment = z.infer<typeof newPayment>

/**
 * `open`: undecided. `on-its-way`: the shopper paid, and the payment arrives at `arrivesAt`, epoch ms. `paid` is what the
 * shopper paid if it is not the amount, `refunds` what was returned of captured money.
 */
const providerPayment = z.extend(newPayment, {
  state: z.enum(['open', 'on-its-way', 'authorised', 'captured', 'released', 'failed']),
  arrivesAt: z.optional(amount),
  paid: z.optional(amount),
  refunds: z.array(z.object({ refundId: text, amount })),
})

export type ProviderPayment = z.infer<typeof providerPayment>

/** A message to the shop; `id` and `body` are the same in every try. */
const message = z.object({ id: text, body: text })

export type Message = z.infer<typeof message>

/** `refundId` is the refund that the message reports. */
const storedMessage = z.extend(message, { isDelivered: z.boolean(), refundId: z.optional(text) })

export type StoredMessage = z.infer<typeof storedMessage>

/** All payments of one order, the newest last, and all messages about them. */
const record = z.object({
  revision: amount,
  payments: z.array(providerPayment),
  messages: z.array(storedMessage),
})

export type PaymentRecord = z.infer<typeof record>

export type PaymentStore = {
  read(orderId: OrderId): Promise<PaymentRecord | undefined>
  /** Writes if the stored record has the revision before that of `record`; false otherwise. */
  write(orderId: OrderId, record: PaymentRecord): Promise<boolean>
}

/** Longer than a trial of a sale with its refunds. */
const keptSeconds = 30 * 86_400

const stored = z.object({ record: text })

/** `clock` gives epoch ms. */
export function dynamoSimulatedPayments(table: Table, clock: () => number): PaymentStore {
  const { client, name: TableName } = table
  return {
    async read(orderId) {
      const found = await findItem(table, simulatedPaymentsKey(orderId))
      if (found === undefined) return undefined
      const item = parse(stored, found)
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
      return conditionHeld(client.send(put))
    },
  }
}
