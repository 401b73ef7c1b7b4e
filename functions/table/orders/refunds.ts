/**
 * Refunds in DynamoDB. `refund` stays as it fell due; `outstanding`, absent until a part has gone back, is what is
 * still due. A completed refund stays in the table, on the list of done ones, so the same money never falls due twice.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { PaymentMoney } from '../../../core/orders/order-life.ts'
import type { RefundProgress } from '../../../core/orders/order-refunds.ts'
import type { Table } from '../../lib/shop/table.ts'
import { findItem, readStored } from '../dynamodb.ts'
import { doneRefundsList, dueRefundsList, refundKey, refundListKey, stoppedRefundsList } from '../keys.ts'
import { readList } from '../list.ts'
import { dueUpdate, storedMoney } from './due-money.ts'

/** A refund: `amount` is what has not gone back yet. `requestedAt` is when it fell due, epoch ms. */
export type Refund = PaymentMoney & { orderId: string; requestedAt: number }

const storedRefund = z.object({
  refund: z.object(storedMoney, 'must be a refund'),
  outstanding: z.optional(storedMoney.amount),
})

/** Refunds not yet complete, oldest first; eventually consistent. */
export async function dueRefunds(table: Table): Promise<readonly Refund[]> {
  const items = await readList(table, dueRefundsList)
  return items.map((item) => stillDue(readRefund(item)))
}

/** The refund of that payment while it is due. Strongly consistent. */
export async function findRefund(table: Table, paymentId: string): Promise<Refund | undefined> {
  const item = await findItem(table, refundKey(paymentId))
  return item?.listPk === dueRefundsList ? stillDue(readRefund(item)) : undefined
}

/** Records a refund for an unknown order as due. The first call counts; later ones answer with that refund. */
export async function addRefund({ client, name }: Table, refund: Refund): Promise<Refund> {
  const update = new UpdateCommand({ ...refundUpdate(name, refund), ReturnValues: 'ALL_NEW' })
  const { Attributes } = await client.send(update)
  return readRefund(Attributes ?? {}).refund
}

/** Adds a refund as due; an existing one stays as it is, due or done. */
export function refundUpdate(TableName: string, refund: Refund) {
  const { requestedAt, paymentId } = refund
  const list = refundListKey(requestedAt, paymentId)
  return dueUpdate(TableName, { key: refundKey(paymentId), list, field: 'refund' }, refund)
}

/** Leaves that much of an existing refund due, or stopped; 0 is done. Fails unless `seen`, if given, was due. */
export function refundLeft(
  TableName: string,
  { paymentId, seen, left, isStopped }: RefundProgress & { seen?: number },
) {
  return {
    TableName,
    Key: refundKey(paymentId),
    UpdateExpression: 'SET outstanding = :left, listPk = :list',
    ExpressionAttributeValues: {
      ':left': left,
      ':list': left === 0 ? doneRefundsList : isStopped ? stoppedRefundsList : dueRefundsList,
      ...(seen !== undefined && { ':seen': seen }),
    },
    ...(seen !== undefined && {
      ConditionExpression: 'outstanding = :seen OR (attribute_not_exists(outstanding) AND refund.amount = :seen)',
    }),
  }
}

type StoredRefund = { refund: Refund; outstanding?: number | undefined }

const stillDue = ({ refund, outstanding }: StoredRefund): Refund => ({
  ...refund,
  amount: outstanding ?? refund.amount,
})

const readRefund = (item: unknown) => readStored('a refund', storedRefund, item)
