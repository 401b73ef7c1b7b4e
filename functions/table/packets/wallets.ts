/** Wallets in DynamoDB: a shopper's balances and credits share a partition, so one query reads them all. */
import * as z from 'zod/mini'
import { parseSaleId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { readBy, whole } from '../../../core/lib/parse.ts'
import type { Money } from '../../../core/money.ts'
import { maxPacketAmount, maxPackets } from '../../../core/packets/packets.ts'
import type { Table } from '../../lib/shop/table.ts'
import { findItem, readStored, UnexpectedItem } from '../dynamodb.ts'
import { creditKey, readWalletKey, walletOf } from '../keys.ts'
import { allOf, type Item } from '../query.ts'

/** A credited packet. Times are epoch ms; `amount` is in minor units. */
export type Credit = Money & { saleId: SaleId; packet: number; claimedAt: number; creditedAt: number }

/** All that a wallet holds. */
type WalletRecord = { balances: readonly Money[]; credits: readonly Credit[] }

const max = Number.MAX_SAFE_INTEGER
const currency = z.string('must be a string')
const storedBalance = z.object({ currency, amount: whole(0, max) })
const storedCredit = z.object({
  saleId: readBy(parseSaleId, 'must be a sale id'),
  packet: whole(0, maxPackets - 1),
  amount: whole(1, maxPacketAmount),
  currency,
  claimedAt: whole(0, max),
  creditedAt: whole(0, max),
})

/**
 * Strongly consistent.
 * @throws when the table is unavailable
 */
export async function findWallet(table: Table, shopperId: ShopperId): Promise<WalletRecord> {
  const items = await allOf(table, walletOf(shopperId))
  const balances: Money[] = []
  const credits: Credit[] = []
  for (const item of items) {
    const read = readItem(item)
    if ('saleId' in read) credits.push(read)
    else balances.push(read)
  }
  return { balances, credits }
}

/**
 * The credit of a packet of that sale. Strongly consistent.
 * @throws when the table is unavailable
 */
export async function findCredit(table: Table, shopperId: ShopperId, saleId: SaleId): Promise<Credit | undefined> {
  const item = await findItem(table, creditKey(shopperId, saleId))
  return item && readStored('an item of a wallet', storedCredit, { ...item, saleId })
}

/** The key determines an item's kind, and names its sale or currency. */
function readItem(item: Item): Money | Credit {
  const key = readWalletKey(String(item.sk))
  if (key === undefined) throw new UnexpectedItem('an item of a wallet', 'its key must be of a claim or a balance')
  const schema = 'saleId' in key ? storedCredit : storedBalance
  return readStored<typeof storedCredit | typeof storedBalance>('an item of a wallet', schema, { ...item, ...key })
}
