/**
 * Refunds in DynamoDB. One that is done stays, under another list, so the same money never falls due a second time.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parse, whole } from '../../core/parse.ts'
import type { Refund, Refunds } from '../order-life/order-ledger.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { readList } from './list.ts'
import { doneRefundsList, dueRefundsList, refundKey, refundListKey } from './table.ts'

const text = z.string('must be text')

const storedRefund = z.object({
  paymentId: text,
  orderId: text,
  amount: whole(0, Number.MAX_SAFE_INTEGER),
  currency: text,
  requestedAt: whole(0, Number.MAX_SAFE_INTEGER),
})

export function dynamoRefunds(table: Table): Refunds {
  const { client, name } = table
  return {
    async due() {
      const items = await readList(table, dueRefundsList)
      return items.map(({ refund }) => readRefund(refund))
    },
    async add(refund) {
      const update = new UpdateCommand({ ...refundUpdate(name, refund), ReturnValues: 'ALL_NEW' })
      const { Attributes } = await client.send(update)
      return readRefund(Attributes?.refund)
    },
    async done(paymentId) {
      const update = new UpdateCommand({
        TableName: name,
        Key: refundKey(paymentId),
        UpdateExpression: 'SET listPk = :done',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':done': doneRefundsList },
      })
      try {
        await client.send(update)
      } catch (error) {
        // No refund of that payment was ever due here, so none is left to do.
        if (!(error instanceof ConditionalCheckFailedException)) throw error
      }
    },
  }
}

/** Puts a refund there and makes it due; one that is there already stays as it is, due or done. */
export function refundUpdate(TableName: string, refund: Refund) {
  const { listPk, listSk } = refundListKey(refund.requestedAt, refund.paymentId)
  return {
    TableName,
    Key: refundKey(refund.paymentId),
    UpdateExpression:
      'SET refund = if_not_exists(refund, :refund), listPk = if_not_exists(listPk, :due), ' +
      'listSk = if_not_exists(listSk, :at)',
    ExpressionAttributeValues: { ':refund': refund, ':due': listPk, ':at': listSk },
  }
}

function readRefund(stored: unknown): Refund {
  const refund = parse(storedRefund, stored)
  if (!refund.ok) throw new UnexpectedItem('a refund', refund.detail)
  return refund.value
}
