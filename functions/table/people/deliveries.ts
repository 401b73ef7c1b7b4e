/**
 * Deliveries in DynamoDB, encrypted with the keys of personal data, so that the table and its backups do not reveal them. Only
 * the country is readable, because the cost of delivery depends on it and the function that starts payments has none of the
 * keys.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { OrderId } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import { countryIn, delivery, type OrderDelivery } from '../../../core/people/delivery.ts'
import type { Sealer } from '../../lib/sealer.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { readBatch } from '../batch.ts'
import { deliveryKey, orderKey, orderOfDelivery } from '../keys.ts'
import { type TransactionItem, transact } from '../transaction.ts'
import type { PersonalTable } from './contact-item.ts'
import { isKept, openItem, openKept, sealedItem } from './sealed-item.ts'

export const deliveryPurpose = (orderId: OrderId) => ({ purpose: 'delivery', owner: orderId }) as const

type DeliveryTable = Omit<PersonalTable, 'personalKeys'>

/** Returns the stored deliveries of distinct `orderIds`. Strongly consistent. @throws when the table is unavailable */
export async function findDeliveries(
  personal: DeliveryTable,
  orderIds: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, OrderDelivery>> {
  return openKept(personal, orderIds.map(deliveryKey), async (item) => {
    const orderId = orderOfDelivery(String(item.pk))
    return [orderId, await openItem(personal.sealer, deliveryPurpose(orderId), item, delivery)]
  })
}

/** Stores a delivery until `expiresAt`, epoch ms, and replaces an earlier one. @throws when the table is unavailable */
export async function putDelivery(
  { table: { client, name }, sealer }: Omit<DeliveryTable, 'clock'>,
  orderId: OrderId,
  content: OrderDelivery,
  expiresAt: number,
): Promise<void> {
  const Item = await deliveryItem(sealer, orderId, content, expiresAt)
  await client.send(new PutCommand({ TableName: name, Item }))
}

async function deliveryItem(sealer: Sealer, orderId: OrderId, content: OrderDelivery, expiresAt: number) {
  const sealed = await sealedItem(sealer, deliveryPurpose(orderId), content, expiresAt)
  return { ...deliveryKey(orderId), ...sealed, country: content.postalCountry }
}

type SeenOrder = Pick<Order, 'orderId' | 'history'>

/** Stores a delivery like `putDelivery`, unless the order has changed since `order` was read: then false. */
export async function putDeliveryIfUnchanged(
  { table, sealer }: Omit<DeliveryTable, 'clock'>,
  order: SeenOrder,
  content: OrderDelivery,
  expiresAt: number,
): Promise<boolean> {
  const Item = await deliveryItem(sealer, order.orderId, content, expiresAt)
  return whileUnchanged(table, order, { Put: { TableName: table.name, Item } })
}

/**
 * Deletes a delivery; false when `order` has changed since it was read. Safe to repeat.
 * @throws when the table is unavailable
 */
export async function deleteDelivery(table: Table, order: SeenOrder): Promise<boolean> {
  return whileUnchanged(table, order, { Delete: { TableName: table.name, Key: deliveryKey(order.orderId) } })
}

async function whileUnchanged(table: Table, { orderId, history }: SeenOrder, item: TransactionItem): Promise<boolean> {
  const TableName = table.name
  const unchanged = {
    ConditionExpression: 'size(history) = :seen',
    ExpressionAttributeValues: { ':seen': history.length },
  }
  const written = await transact(table, [item, { ConditionCheck: { TableName, Key: orderKey(orderId), ...unchanged } }])
  return written === 'written'
}

/** The country of each delivery by its order. */
export type StoredDeliveries = ReadonlyMap<OrderId, string | undefined>

/** Returns which of at most 100 `orderIds` have a delivery at `now` (epoch ms). Needs no key of personal data. */
export async function ordersWithDelivery(
  table: Table,
  orderIds: readonly OrderId[],
  now: number,
): Promise<StoredDeliveries> {
  const items = await readBatch(table, orderIds.map(deliveryKey))
  const kept = items.filter((item) => isKept(item, now))
  return new Map(kept.map(({ pk, country }) => [orderOfDelivery(String(pk)), countryIn(country)]))
}
