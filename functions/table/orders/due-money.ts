/**
 * Due calls to the payment provider: money to refund, money to capture or release (an authorisation), and pages to close. Each
 * is an item on a list of due ones. Finished money stays in the table on another list, so it never falls due twice and a late
 * event changes nothing. `refund` keeps its amount; `outstanding`, absent until a part was refunded, is what is still due.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import { readBy, whole } from '../../../core/lib/parse.ts'
import type { PaymentMoney } from '../../../core/orders/order-life.ts'
import type { RefundProgress } from '../../../core/orders/order-refunds.ts'
import type { PaymentRequest } from '../../lib/shop/payment-provider.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { deleteBatch } from '../batch.ts'
import { findItem, readStored } from '../dynamodb.ts'
import {
  authorisationKey,
  authorisationListKey,
  doneAuthorisationsList,
  doneRefundsList,
  dueAuthorisationsList,
  dueRefundsList,
  pageKey,
  pageListKey,
  pagesList,
  refundKey,
  refundListKey,
  stoppedRefundsList,
} from '../keys.ts'
import { readList } from '../list.ts'

/** A refund: `amount` is what was not refunded yet. `requestedAt` is when it fell due, epoch ms. */
export type Refund = PaymentMoney & { orderId: string; requestedAt: number }

/** A refund for an unknown order, written only while `seen` is due; `isStopped`: the bank returned it. */
export type RefundStep = RefundProgress & { seen: number }

/** Authorised money, until it is captured or released; since `requestedAt`, epoch ms. */
export type Authorisation = PaymentMoney & { orderId: OrderId; requestedAt: number }

/** A page that the shop no longer waits for, since `requestedAt`, epoch ms. */
export type EndedPage = PaymentRequest & { requestedAt: number }

const text = z.string('must be a string')
const amount = whole(0, Number.MAX_SAFE_INTEGER)
const storedMoney = {
  ...{ paymentId: text, orderId: text, amount, currency: text },
  ...{ reference: z.optional(text), requestedAt: amount },
}

const storedRefund = z.object({
  refund: z.object(storedMoney, 'must be a refund'),
  outstanding: z.optional(amount),
})

const storedAuthorisation = z.object({
  authorisation: z.object(
    { ...storedMoney, orderId: readBy(parseOrderId, 'must be an order id') },
    'must be an authorisation',
  ),
})

const { reference: _, ...ofPage } = storedMoney
const storedPage = z.object({
  page: z.object(
    { ...ofPage, product: text, language: z.optional(text), startedAt: amount, until: amount },
    'must be a page',
  ),
})

/** The key and list of each kind; its name is the attribute that holds it. */
const places = {
  page: { keyOf: pageKey, listOf: pageListKey },
  refund: { keyOf: refundKey, listOf: refundListKey },
  authorisation: { keyOf: authorisationKey, listOf: authorisationListKey },
}

/** Adds `money` or a page as due, a refund also as stopped; keeps an existing one as it is, due or done. */
export function dueUpdate(
  TableName: string,
  kind: keyof typeof places,
  { isStopped, ...money }: (Refund | Authorisation | EndedPage) & { isStopped?: boolean },
) {
  const { paymentId, requestedAt } = money
  const { listPk: dueList, listSk } = places[kind].listOf(requestedAt, paymentId)
  const listPk = isStopped ? stoppedRefundsList : dueList
  return {
    TableName,
    Key: places[kind].keyOf(paymentId),
    UpdateExpression:
      `SET ${kind} = if_not_exists(${kind}, :money), listPk = if_not_exists(listPk, :due), ` +
      'listSk = if_not_exists(listSk, :at)',
    ExpressionAttributeValues: { ':money': money, ':due': listPk, ':at': listSk },
  }
}

/** Returns incomplete refunds, oldest first; eventually consistent. */
export async function dueRefunds(table: Table): Promise<readonly Refund[]> {
  const items = await readList(table, dueRefundsList)
  return items.map((item) => stillDue(readRefund(item)))
}

/** Returns the refund of that payment while it is due. Strongly consistent. */
export async function findRefund(table: Table, paymentId: string): Promise<Refund | undefined> {
  const item = await findItem(table, refundKey(paymentId))
  return item?.listPk === dueRefundsList ? stillDue(readRefund(item)) : undefined
}

/** Records a refund for an unknown order as due. The first call counts; later ones return that refund. */
export async function addRefund({ client, name }: Table, refund: Refund): Promise<Refund> {
  const update = new UpdateCommand({ ...dueUpdate(name, 'refund', refund), ReturnValues: 'ALL_NEW' })
  const { Attributes } = await client.send(update)
  return readRefund(Attributes ?? {}).refund
}

/** Leaves `left` of an existing refund due, or stopped; 0 is done. Fails unless `seen`, if given, was due. */
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

const readRefund = (item: unknown) => readStored('a refund', storedRefund, item)

const stillDue = ({ refund, outstanding }: z.infer<typeof storedRefund>): Refund => ({
  ...refund,
  amount: outstanding ?? refund.amount,
})

/** Returns authorisations that are neither captured nor released, oldest first; eventually consistent. */
export async function dueAuthorisations(table: Table): Promise<readonly Authorisation[]> {
  const items = await readList(table, dueAuthorisationsList)
  return items.map((item) => readStored('an authorisation', storedAuthorisation, item).authorisation)
}

/** Records an authorisation as due. Safe to repeat: the first call counts, even if it is done since. */
export async function addAuthorisation({ client, name }: Table, authorisation: Authorisation): Promise<void> {
  await client.send(new UpdateCommand(dueUpdate(name, 'authorisation', authorisation)))
}

/** Marks an authorisation as captured or released. Safe to repeat; it must have been added. */
export async function endAuthorisation({ client, name }: Table, paymentId: string): Promise<void> {
  const update = new UpdateCommand({
    TableName: name,
    Key: authorisationKey(paymentId),
    UpdateExpression: 'SET listPk = :done',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':done': doneAuthorisationsList },
  })
  await client.send(update)
}

/** Returns pages to close, oldest first; eventually consistent. */
export async function endedPages(table: Table): Promise<readonly EndedPage[]> {
  const items = await readList(table, pagesList)
  return items.map((item) => readStored('a page', storedPage, item).page)
}

/** Deletes a page that is closed or has expired. Safe to repeat. */
export function deletePage(table: Table, paymentId: string): Promise<void> {
  return deleteBatch(table, [pageKey(paymentId)])
}
