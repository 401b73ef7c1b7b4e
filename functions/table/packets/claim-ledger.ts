/**
 * One DynamoDB transaction per group of claims: each credit with its balance and its packet, and
 * one update of the cap. The conditions decide P3 and the budget; on failure the reasons come in
 * the order of the items.
 */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { readBy, whole } from '../../../core/lib/parse.ts'
import type { Claim } from '../../../core/packets/claim.ts'
import { maxPacketAmount, maxPackets } from '../../../core/packets/packets.ts'
import type { Committed } from '../../lib/group-commit.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type CancellationReason, conditionFailed, readStored } from '../dynamodb.ts'
import { balanceKey, creditKey, packetKey, packetParts } from '../keys.ts'
import { partPages } from '../partitions.ts'
import type { Item } from '../query.ts'
import { readCap, takeForClaims } from '../stock/cap-item.ts'
import { attempt, type TransactionItem } from '../transaction.ts'

/** A claim to be credited, with the budget of its sale. */
export type DueClaim = Claim & { budget: number }

/**
 * Why a claim can never be credited: its shopper has another packet of the sale, its packet has
 * another owner, the sale has too few packets or too little money left, or its budget is closed.
 * Each means that Redis had lost data.
 */
export type RefusedReason = 'other-packet' | 'packet-taken' | 'over-cap' | 'over-budget' | 'closed'

/** The reasons as a dead letter states them. */
export const refusedSentences: Readonly<Record<RefusedReason, string>> = {
  'other-packet': 'the shopper was credited with another packet of this sale',
  'packet-taken': 'the packet was credited to another shopper',
  'over-cap': 'every packet of the sale was credited',
  'over-budget': 'the sale has less money left than the packet holds',
  closed: 'the budget of the sale is closed: what was left went back',
}

/** What a sale has left: packets, and money in minor units. */
type CapLeft = { packets: number; money: number; isClosed: boolean }

/**
 * Why a transaction was refused. `repeats` are shoppers whose claim was credited before, `refused`
 * those whose claim never can be. `left` is set when the cap of the sale refused as well.
 */
export type CreditRefusal = {
  kind: 'refused'
  repeats: ReadonlySet<ShopperId>
  refused: ReadonlyMap<ShopperId, 'other-packet' | 'packet-taken'>
  left: CapLeft | undefined
}

/** A credited claim, as the packet records it; `creditedAt` is epoch ms. */
export type CreditedClaim = Omit<Claim, 'saleId'> & { creditedAt: number }

/** Which claim an item of the transaction belongs to, to interpret its cancellation reason. */
type Line = { item: TransactionItem } & ({ kind: 'cap' } | { kind: 'credit' | 'packet' | 'balance'; claim: DueClaim })

/**
 * One transaction: all of the claims or none. They are of one sale, at most `fullGroup`, no
 * shopper and no packet twice. `creditedAt` is epoch ms.
 * @throws for a sale without a cap of red packets
 */
export async function writeCredits(
  table: Table,
  claims: readonly DueClaim[],
  creditedAt: number,
): Promise<Committed<CreditRefusal>> {
  const [first] = claims
  if (first === undefined) return { kind: 'written' }
  const lines = [
    capLine(table.name, first, claims),
    ...claims.flatMap((claim) => claimLines(table.name, claim, creditedAt)),
  ]
  const items = lines.map(({ item }) => item)
  const tried = await attempt(table, items)
  return tried.kind === 'refused' ? refusalOf(first, lines, tried.reasons) : tried
}

function capLine(TableName: string, { saleId, budget }: DueClaim, claims: readonly DueClaim[]): Line {
  const amount = claims.reduce((sum, claim) => sum + claim.amount, 0)
  const item = takeForClaims(TableName, saleId, { claims: claims.length, amount, budget })
  return { kind: 'cap', item }
}

function claimLines(TableName: string, claim: DueClaim, creditedAt: number): Line[] {
  const { saleId, shopperId, packet, amount, currency, claimedAt } = claim
  const once = {
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const
  const credit = { ...creditKey(shopperId, saleId), packet, amount, currency, claimedAt, creditedAt }
  const packetItem = { ...packetKey(saleId, packet), shopperId, amount, currency, claimedAt, creditedAt }
  return [
    { kind: 'credit', claim, item: { Put: { TableName, Item: credit, ...once } } },
    { kind: 'packet', claim, item: { Put: { TableName, Item: packetItem, ...once } } },
    {
      kind: 'balance',
      claim,
      item: {
        Update: {
          TableName,
          Key: balanceKey(shopperId, currency),
          UpdateExpression: 'ADD amount :amount',
          ExpressionAttributeValues: { ':amount': amount },
        },
      },
    },
  ]
}

type Terms = Pick<DueClaim, 'saleId' | 'budget'>

/**
 * A claim's credit comes before its packet, so a credited claim is known when its packet is
 * checked.
 */
function refusalOf(sale: Terms, lines: readonly Line[], reasons: readonly CancellationReason[]): CreditRefusal {
  const repeats = new Set<ShopperId>()
  const refused = new Map<ShopperId, 'other-packet' | 'packet-taken'>()
  let left: CapLeft | undefined
  lines.forEach((line, index) => {
    const reason = reasons[index]
    if (!conditionFailed(reason)) return
    if (line.kind === 'cap') {
      left = leftIn(sale, reason)
      return
    }
    const { shopperId, packet } = line.claim
    if (line.kind === 'credit') {
      if (Number(reason?.Item?.packet?.N) === packet) repeats.add(shopperId)
      else refused.set(shopperId, 'other-packet')
    } else if (!repeats.has(shopperId) && !refused.has(shopperId)) refused.set(shopperId, 'packet-taken')
  })
  return { kind: 'refused', repeats, refused, left }
}

/**
 * What is left in the cap that refused. A missing cap, or one of another kind, is a fault of ours.
 */
function leftIn(sale: Terms, reason: CancellationReason | undefined): CapLeft {
  const { saleId } = sale
  const numbers = Object.entries(reason?.Item ?? {}).flatMap(([name, { N }]) =>
    N === undefined ? [] : [[name, Number(N)]],
  )
  if (numbers.length === 0) throw new Error(`the cap of ${saleId} is missing`)
  const { remaining, money } = readCap(Object.fromEntries(numbers))
  if (money?.budget !== sale.budget) {
    throw new Error(`the packets of ${saleId} hold ${sale.budget} in all, and its cap says ${money?.budget}`)
  }
  const { budget, claimed, closedAt } = money
  return { packets: remaining, money: budget - claimed, isClosed: closedAt !== undefined }
}

const ownedPacket = z.object({
  sk: z.pipe(z.pipe(z.string('must be a string'), z.transform(Number)), whole(0, maxPackets - 1)),
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  amount: whole(1, maxPacketAmount),
  currency: z.string('must be a string'),
  claimedAt: whole(0, Number.MAX_SAFE_INTEGER),
  creditedAt: whole(0, Number.MAX_SAFE_INTEGER),
})

/** Every credited claim of the sale, in pages; claims credited during the walk may be missing. */
export async function* creditedClaimPages(table: Table, saleId: SaleId): AsyncGenerator<readonly CreditedClaim[]> {
  for await (const page of partPages(table, packetParts(saleId), {})) yield page.map(readPacket)
}

/**
 * When the last packet of a sale in one shard was claimed, if that was by `until` (epoch ms): packets are claimed in the
 * order of their numbers. Undefined for a split sale, whose shards have numbers of their own.
 */
export async function lastClaimedAt(
  table: Table,
  { saleId, shards }: { saleId: SaleId; shards: number },
  until: number,
): Promise<number | undefined> {
  if (shards > 1) return undefined
  const lastOf = async (pk: string): Promise<readonly Item[]> => {
    const query = new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :part',
      ExpressionAttributeValues: { ':part': pk },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 1,
    })
    return (await table.client.send(query)).Items ?? []
  }
  const items = await Promise.all(packetParts(saleId).map(lastOf))
  const times = items.flat().map((item) => readPacket(item).claimedAt)
  const last = times.length === 0 ? undefined : Math.max(...times)
  return last !== undefined && last <= until ? last : undefined
}

/**
 * The claim in an item.
 * @throws UnexpectedItem
 */
export function readPacket(item: Item): CreditedClaim {
  const { sk: packet, ...facts } = readStored('a packet', ownedPacket, item)
  return { packet, ...facts }
}
