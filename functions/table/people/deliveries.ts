/**
 * Deliveries in DynamoDB, encrypted with the keys of personal data, so that the table and its backups
 * do not reveal them.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { OrderId } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import { delivery, type OrderDelivery } from '../../../core/people/delivery.ts'
import { readBatch } from '../batch.ts'
import type { Table } from '../dynamodb.ts'
import { deliveryKey, orderKey, orderOfDelivery } from '../keys.ts'
import { transact } from '../transaction.ts'
import type { PersonalDataPorts } from './contact-item.ts'
import { openItem } from './open-item.ts'
import { isKept, sealedItem } from './sealed-item.ts'

/** All throw when the table is unavailable. */
export type Deliveries = {
  /** Those of `orderIds`, none named twice, that are neither missing, erased nor expired. Strongly consistent. */
  findMany: (orderIds: readonly OrderId[]) => Promise<ReadonlyMap<OrderId, OrderDelivery>>
  /** Replaces an earlier one; kept until `expiresAt`, epoch ms. */
  put: (orderId: OrderId, delivery: OrderDelivery, expiresAt: number) => Promise<void>
  /** Safe to repeat. False, and nothing is erased, when the order has changed since `order` was read. */
  erase: (order: Pick<Order, 'orderId' | 'history'>) => Promise<boolean>
}

const purposeOf = (orderId: OrderId) => ({ purpose: 'delivery', owner: orderId }) as const

export function dynamoDeliveries(
  table: Table,
  { sealer, clock }: Pick<PersonalDataPorts, 'sealer' | 'clock'>,
): Deliveries {
  const { client, name: TableName } = table
  return {
    async findMany(orderIds) {
      const items = await readBatch(table, orderIds.map(deliveryKey))
      const opened = items
        .filter((item) => isKept(item, clock()))
        .map(async (item) => {
          const orderId = orderOfDelivery(String(item.pk))
          return [orderId, await openItem(sealer, purposeOf(orderId), item, delivery)] as const
        })
      return new Map(await Promise.all(opened))
    },
    async put(orderId, content, expiresAt) {
      const sealed = await sealedItem(sealer, purposeOf(orderId), content, expiresAt)
      await client.send(new PutCommand({ TableName, Item: { ...deliveryKey(orderId), ...sealed } }))
    },
    async erase({ orderId, history }) {
      const unchanged = {
        ConditionExpression: 'size(history) = :seen',
        ExpressionAttributeValues: { ':seen': history.length },
      }
      const written = await transact(table, [
        { Delete: { TableName, Key: deliveryKey(orderId) } },
        { ConditionCheck: { TableName, Key: orderKey(orderId), ...unchanged } },
      ])
      return written === 'written'
    },
  }
}
