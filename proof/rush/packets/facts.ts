/**
 * The state of a sale of red packets after a rush, from Redis, DynamoDB and the shoppers. Packets have their public
 * ids.
 */
import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseSaleId, type SaleId } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import { packetIdOf } from '../../../core/packets/packet.ts'
import { capKey, saleOfCredit } from '../../../functions/table/keys.ts'
import { read } from '../../bench/read.ts'
import type { OwnedPacket } from '../../invariants/snapshot.ts'
import type { RedisPackets } from '../../packets-in-redis.ts'
import type { Aftermath } from '../aftermath.ts'
import type { WonPacket } from '../requests.ts'

/** A credit in a wallet, of any sale. Times are epoch ms. */
export type StoredCredit = OwnedPacket & { saleId: string; currency: string; claimedAt: number; creditedAt: number }

/** The cap of the sale in the table. */
type Cap = { remaining: number; sold: number; orders: number; budget: number; claimed: number }

/** All wallets, and the sale's items in the table. */
export type StoredMoney = { credits: StoredCredit[]; owners: OwnedPacket[]; cap: Cap }

/** A claim that was answered with a 200, first or repeated. */
export type AnsweredClaim = WonPacket & { shopperId: string }

/**
 * Shoppers `inDoubt` were not answered with a packet and may have one all the same: an answer to
 * them was lost.
 */
export type PacketFacts = Aftermath & {
  saleId: string
  packets: number
  totalAmount: number
  shoppers: number
  snapshot: RedisPackets
  money: StoredMoney
  answered: AnsweredClaim[]
  inDoubt: string[]
}

const walletPrefix = 'WALLET#'
const ordersPrefix = (saleId: SaleId) => `ORDERS#${saleId}#`

const key = z.object({ pk: z.string(), sk: z.string() })
const credit = z.object({
  saleId: readBy(parseSaleId, 'must be a sale id'),
  packet: z.number(),
  amount: z.number(),
  currency: z.string(),
  claimedAt: z.number(),
  creditedAt: z.number(),
})
const ownedPacket = z.object({ listPk: z.string(), packet: z.object({ number: z.number(), amount: z.number() }) })
const cap = z.object({
  remaining: z.number(),
  sold: z.number(),
  orders: z.number(),
  budget: z.number(),
  claimed: z.number(),
})

/**
 * * Reads all wallets, and a red-packet sale's items in the table. Exact only while nothing is being credited. * Reads
 * the money of the sale. @throws when the sale has no cap of red packets /
 */
export async function readMoney(
  client: DynamoDBDocumentClient,
  TableName: string,
  saleId: SaleId,
): Promise<StoredMoney> {
  const ofCap = capKey(saleId)
  const input = {
    TableName,
    ConsistentRead: true,
    FilterExpression:
      'begins_with(pk, :wallets) OR (begins_with(pk, :orders) AND attribute_exists(packet) AND #status = :stands) OR (pk = :sale AND sk = :cap)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':wallets': walletPrefix,
      ':orders': ordersPrefix(saleId),
      ':stands': 'fulfilled',
      ':sale': ofCap.pk,
      ':cap': ofCap.sk,
    },
  }
  const credits: StoredCredit[] = []
  const owners: OwnedPacket[] = []
  const caps: Cap[] = []
  for await (const { Items = [] } of paginateScan({ client }, input)) {
    for (const item of Items) {
      const { pk, sk } = read(key, item)
      if (pk === ofCap.pk) caps.push(read(cap, item))
      else if (pk.startsWith(walletPrefix)) {
        credits.push(creditOf(pk.slice(walletPrefix.length), { ...item, saleId: saleOfCredit(sk) }))
      } else owners.push(ownerOf(saleId, item))
    }
  }
  const [only] = caps
  if (only === undefined) throw new Error(`the table has no cap of ${saleId}`)
  return { credits, owners, cap: only }
}

function ownerOf(saleId: SaleId, item: unknown): OwnedPacket {
  const { listPk, packet } = read(ownedPacket, item)
  return {
    packetId: packetIdOf(saleId, packet.number),
    shopperId: listPk.slice(walletPrefix.length),
    amount: packet.amount,
  }
}

function creditOf(shopperId: string, item: unknown): StoredCredit {
  const { packet, ...rest } = read(credit, item)
  return { ...rest, shopperId, packetId: packetIdOf(rest.saleId, packet) }
}
