/** Money that is due to go back, or to be captured or released: an item on a list of due ones. */
import * as z from 'zod/mini'
import { whole } from '../../../core/lib/parse.ts'
import type { ItemKey, ListKey } from '../keys.ts'

const text = z.string('must be a string')
const amount = whole(0, Number.MAX_SAFE_INTEGER)

/** The money as it is stored; `requestedAt` is when it fell due, epoch ms. */
export const storedMoney = {
  ...{ paymentId: text, orderId: text, amount, currency: text },
  ...{ reference: z.optional(text), requestedAt: amount },
}

/** `field` is the attribute that holds it. */
type DueMoney = { key: ItemKey; list: ListKey; field: 'refund' | 'authorisation' }

/** Adds `money` as due; an existing one stays as it is, due or done. */
export function dueUpdate(TableName: string, { key, list, field }: DueMoney, money: object) {
  return {
    TableName,
    Key: key,
    UpdateExpression:
      `SET ${field} = if_not_exists(${field}, :money), listPk = if_not_exists(listPk, :due), ` +
      'listSk = if_not_exists(listSk, :at)',
    ExpressionAttributeValues: { ':money': money, ':due': list.listPk, ':at': list.listSk },
  }
}
