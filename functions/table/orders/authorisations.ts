/** Authorised money in DynamoDB. A settled one stays, on another list, so that a late event changes nothing. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import type { PaymentMoney } from '../../../core/orders/order-life.ts'
import type { Table } from '../../lib/shop/table.ts'
import { readStored } from '../dynamodb.ts'
import { authorisationKey, authorisationListKey, doneAuthorisationsList, dueAuthorisationsList } from '../keys.ts'
import { readList } from '../list.ts'
import type { Item } from '../query.ts'
import { dueUpdate, storedMoney } from './due-money.ts'

/** Authorised money, until it is captured or released; since `requestedAt`, epoch ms. */
export type Authorisation = PaymentMoney & { orderId: OrderId; requestedAt: number }

const storedAuthorisation = z.object({
  authorisation: z.object(
    { ...storedMoney, orderId: readBy(parseOrderId, 'must be an order id') },
    'must be an authorisation',
  ),
})

/** Authorisations that are neither captured nor released, oldest first; eventually consistent. */
export async function dueAuthorisations(table: Table): Promise<readonly Authorisation[]> {
  return (await readList(table, dueAuthorisationsList)).map(readAuthorisation)
}

/** Records one as due. Safe to repeat: the first call counts, also when it is done since. */
export async function addAuthorisation({ client, name }: Table, authorisation: Authorisation): Promise<void> {
  await client.send(new UpdateCommand(authorisationUpdate(name, authorisation)))
}

/** Marks one as captured or released. Safe to repeat; it must have been added. */
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

/** Adds an authorisation as due; an existing one stays as it is, due or done. */
export function authorisationUpdate(TableName: string, authorisation: Authorisation) {
  const { requestedAt, paymentId } = authorisation
  const list = authorisationListKey(requestedAt, paymentId)
  return dueUpdate(TableName, { key: authorisationKey(paymentId), list, field: 'authorisation' }, authorisation)
}

function readAuthorisation(item: Item): Authorisation {
  return readStored('an authorisation', storedAuthorisation, item).authorisation
}
