/** Deletes data of Redis, as after a loss or a rollback. */
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Commander } from '../../redis/command.ts'
import { sharedListKeys, shopperField, stockKeys } from '../../redis/keys.ts'
import { readHolds } from '../../redis/orders/holds.ts'
import { raw } from '../redis/support.ts'
import { phone, type StockRecord } from './stock-record.ts'

type LossPorts = { redis: Commander; stockRecord: (saleId: SaleId) => Promise<StockRecord | undefined> }

export function losses({ redis, stockRecord }: LossPorts) {
  /** Redis restarts without a file: no sale has a stock. */
  const loseStock = async () => {
    const keys = listOf(await raw(redis, 'KEYS', 'stock:*'))
    if (keys.length > 0) await raw(redis, 'DEL', ...keys)
  }

  /** Redis falls back to a replica that missed the reservation of `orderId`. */
  const forget = async (orderId: OrderId, saleId = phone) => {
    const hold = (await readHolds(redis, saleId, new Set([orderId]))).get(orderId)
    if (hold === undefined) throw new Error(`${orderId} is not held`)
    const keys = stockKeys(saleId)
    await raw(redis, 'HDEL', keys.stock, shopperField(hold.shopperId))
    await raw(redis, 'HINCRBY', keys.stock, 'booked', String(-hold.quantity))
    if (hold.variant !== undefined) {
      await raw(redis, 'HINCRBY', keys.stock, `booked:${hold.variant}`, String(-hold.quantity))
    }
  }

  /** Redis loses the record of every shopper. */
  const forgetHolds = async (saleId = phone) => {
    const there = await stockRecord(saleId)
    if (there === undefined) throw new Error('there is no stock')
    const { stock: key } = stockKeys(saleId)
    const fields = [...there.buyers.keys()]
    if (fields.length > 0) await raw(redis, 'HDEL', key, ...fields)
    await raw(redis, 'HINCRBY', key, 'booked', String(there.heldBack - there.booked))
  }

  /** Copies the stock of a sale, in all its shards; the returned function restores it. */
  const keepStock = async (saleId = phone) => {
    const keysNow = async () => listOf(await raw(redis, 'KEYS', `stock:{${saleId}*`))
    const kept = await keysNow()
    for (const key of kept) await raw(redis, 'COPY', key, `copy:${key}`, 'REPLACE')
    return async () => {
      const since = await keysNow()
      if (since.length > 0) await raw(redis, 'DEL', ...since)
      for (const key of kept) await raw(redis, 'RENAME', `copy:${key}`, key)
    }
  }

  /** The gate's store forgets every sale. */
  const loseGate = async () => {
    const known = listOf(await raw(redis, 'KEYS', 'gate:*'))
    const keys = known.filter((key) => !key.startsWith('gate:{-}'))
    if (keys.length > 0) await raw(redis, 'DEL', ...keys)
  }

  /** The gate's store loses the list of sales and its filter. */
  const loseList = async () => {
    const { sales: listed, filter, versions } = sharedListKeys
    await raw(redis, 'DEL', listed, filter, versions)
  }

  return { loseStock, forget, forgetHolds, keepStock, loseGate, loseList }
}

const listOf = (reply: unknown): string[] => (Array.isArray(reply) ? reply.map(String) : [])
