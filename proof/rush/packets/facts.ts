/**
 * The state of a sale of red packets after a rush, from Redis, DynamoDB and the shoppers. Packets have their public
 * ids.
 */
import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseOrderId, type SaleId, saleOfOrder } from '../../../core/ids.ts'
import { readBy } from '../../../core/lib/parse.ts'
import { packet, packetIdOf } from '../../../core/packets/packet.ts'
import { capKey } from '../../../functions/table/keys.ts'
import type { OwnedPacket } from '../../invariants/snapshot.ts'
import type { RedisPackets } from '../../packets-in-redis.ts'
import type { WonPacket } from '../requests.ts'
import type { Aftermath } from '../verdict.ts'

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
const packetsPrefix = (saleId: SaleId) => `PACKETS#${saleId}#`

const key = z.object({ pk: z.string(), sk: z.string() })
const order = z.object({
  sk: readBy(parseOrderId, 'must be an order id'),
  listPk: z.string(),
  listSk: z.string(),
  packet,
  history: z.array(z.string()),
})
const ownedPacket = z.object({ sk: z.string(), orderId: z.string() })
const cap = z.object({
  remaining: z.number(),
  sold: z.number(),
  orders: z.number(),
  budget: z.number(),
  claimed: z.number(),
})

/**
 * Reads the orders of red packets of all sales, and whose the packets of `saleId` are. Exact only while nothing is being
 * credited. @throws when the sale has no cap of red packets
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
      '(attribute_exists(packet) AND #status = :stands) OR begins_with(pk, :packets) OR (pk = :sale AND sk = :cap)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':stands': 'fulfilled',
      ':packets': packetsPrefix(saleId),
      ':sale': ofCap.pk,
      ':cap': ofCap.sk,
    },
  }
  const credits = new Map<string, StoredCredit>()
  const owned: z.infer<typeof ownedPacket>[] = []
  const caps: Cap[] = []
  for await (const { Items = [] } of paginateScan({ client }, input)) {
    for (const item of Items) {
      const { pk, sk } = key.parse(item)
      if (pk === ofCap.pk) caps.push(cap.parse(item))
      else if (pk.startsWith(packetsPrefix(saleId))) owned.push(ownedPacket.parse(item))
      else credits.set(sk, creditOf(item))
    }
  }
  const [only] = caps
  if (only === undefined) throw new Error(`the table has no cap of ${saleId}`)
  const owners = owned.map(({ sk, orderId }): OwnedPacket => {
    const { shopperId = 'unknown', amount = 0 } = credits.get(orderId) ?? {}
    return { packetId: packetIdOf(saleId, Number(sk)), shopperId, amount }
  })
  return { credits: [...credits.values()], owners, cap: only }
}

function creditOf(item: unknown): StoredCredit {
  const { sk, listPk, listSk, packet: own, history } = order.parse(item)
  const saleId = saleOfOrder(sk)
  const { number, amount, currency } = own
  const shopperId = listPk.slice(walletPrefix.length)
  const times = { claimedAt: Number(listSk), creditedAt: Number.parseInt(history.at(-1) ?? '', 10) }
  return { saleId, shopperId, packetId: packetIdOf(saleId, number), amount, currency, ...times }
}
