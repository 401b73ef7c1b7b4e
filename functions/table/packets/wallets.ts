/** The wallet of a shopper: the orders of red packets, which are in a list of their own. */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import type { Money } from '../../../core/money.ts'
import type { Order } from '../../../core/orders/order.ts'
import { claimKey, type RedPacket } from '../../../core/packets/packet.ts'
import { deriveOrderId } from '../../lib/order-id.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { packetKey, packetListKey } from '../keys.ts'
import { allOrders, findWrittenOrder } from '../orders/orders.ts'
import type { TransactionItem } from '../transaction.ts'

/** A credited packet, by its number. Times are epoch ms; `amount` is in minor units. */
export type Credit = Money & { saleId: SaleId; packet: number; claimedAt: number; creditedAt: number }

/** Records the owner of a packet. Fails when another order has it (P3). */
export function packetPut(TableName: string, { orderId, saleId }: Order, { number }: RedPacket): TransactionItem {
  const Item = { ...packetKey(saleId, number), orderId }
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } }
}

/** Returns all credits of the shopper. The list lags behind the orders. @throws when the table is unavailable */
export async function findCredits(table: Table, shopperId: ShopperId): Promise<Credit[]> {
  return (await allOrders(table, shopperId, packetListKey)).flatMap((order) => creditOf(order) ?? [])
}

/** Returns the shopper's credit of that sale. Strongly consistent. @throws when the table is unavailable */
export async function findCredit(table: Table, shopperId: ShopperId, saleId: SaleId): Promise<Credit | undefined> {
  const order = await findWrittenOrder(table, deriveOrderId(saleId, shopperId, claimKey))
  return order?.shopperId === shopperId ? creditOf(order) : undefined
}

function creditOf({ saleId, packet, status, reservedAt, writtenAt }: Order): Credit | undefined {
  if (packet === undefined || status !== 'fulfilled') return undefined
  const { number, amount, currency } = packet
  return { saleId, packet: number, amount, currency, claimedAt: reservedAt, creditedAt: writtenAt }
}
