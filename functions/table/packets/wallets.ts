/** Wallets in DynamoDB: the credits of a shopper share a partition, so one query reads them all. */
import * as z from 'zod/mini'
import { parseSaleId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { readBy, whole } from '../../../core/lib/parse.ts'
import type { Money } from '../../../core/money.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { Packet } from '../../../core/packets/packet.ts'
import { maxPacketAmount, maxPackets } from '../../../core/packets/packets.ts'
import type { Table } from '../../lib/shop/table.ts'
import { findItem, readStored } from '../dynamodb.ts'
import { creditKey, packetKey, saleOfCredit, walletOf } from '../keys.ts'
import { allOf } from '../query.ts'
import type { TransactionItem } from '../transaction.ts'

/** A credited packet, by its number. Times are epoch ms; `amount` is in minor units. */
export type Credit = Money & { saleId: SaleId; packet: number; claimedAt: number; creditedAt: number }

const time = whole(0, Number.MAX_SAFE_INTEGER)
const storedCredit = z.object({
  saleId: readBy(parseSaleId, 'must be a sale id'),
  packet: whole(0, maxPackets - 1),
  amount: whole(1, maxPacketAmount),
  currency: z.string('must be a string'),
  claimedAt: time,
  creditedAt: time,
})

/** Credits the packet of an order. Fails when its shopper has another packet of the sale (P3). */
export function creditPut(TableName: string, order: Order, packet: Packet): TransactionItem {
  const { shopperId, saleId, reservedAt: claimedAt, writtenAt: creditedAt } = order
  const { number, amount, currency } = packet
  const credit = { packet: number, amount, currency, claimedAt, creditedAt }
  const Item = { ...creditKey(shopperId, saleId), ...credit }
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } }
}

/** Notes whose packet it is. Fails when another order has it (P3). */
export function packetPut(TableName: string, { orderId, saleId }: Order, { number }: Packet): TransactionItem {
  const Item = { ...packetKey(saleId, number), orderId }
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } }
}

/**
 * All credits of the shopper. Strongly consistent.
 * @throws when the table is unavailable
 */
export async function findCredits(table: Table, shopperId: ShopperId): Promise<Credit[]> {
  const items = await allOf(table, walletOf(shopperId))
  return items.map((item) => readCredit(saleOfCredit(String(item.sk)), item))
}

/**
 * The credit of a packet of that sale. Strongly consistent.
 * @throws when the table is unavailable
 */
export async function findCredit(table: Table, shopperId: ShopperId, saleId: SaleId): Promise<Credit | undefined> {
  const item = await findItem(table, creditKey(shopperId, saleId))
  return item && readCredit(saleId, item)
}

const readCredit = (saleId: string, item: Record<string, unknown>): Credit =>
  readStored('a credit', storedCredit, { ...item, saleId })
