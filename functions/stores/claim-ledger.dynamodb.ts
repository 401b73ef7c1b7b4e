/**
 * One DynamoDB transaction per group of claims: each credit with its balance and its packet, and
 * one update of the cap. The conditions decide P3 and the budget; on failure the reasons come in
 * the order of the items.
 */
import * as z from 'zod/mini'
import { parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { maxPacketAmount, maxPackets } from '../../core/packets.ts'
import { parse, readBy, whole } from '../../core/parse.ts'
import type { CapLeft, ClaimLedger, CreditedClaim, CreditRefusal, DueClaim } from '../packets/claim-ledger.ts'
import { readCap, takeForClaims } from './cap-item.ts'
import { type CancellationReason, conditionFailed, type Table, UnexpectedItem } from './dynamodb.ts'
import { partPages } from './partitions.ts'
import type { Item } from './query.ts'
import { balanceKey, creditKey, packetKey, packetParts } from './table.ts'
import { attempt, type TransactionItem } from './transaction.ts'

/** Which claim an item of the transaction belongs to, to interpret its cancellation reason. */
type Line = { item: TransactionItem } & (
  | { kind: 'cap' }
  | { kind: 'credit' | 'packet' | 'balance'; claim: DueClaim }
)

export function dynamoClaimLedger(table: Table): ClaimLedger {
  return {
    async credit(claims, creditedAt) {
      const [first] = claims
      if (first === undefined) return { kind: 'written' }
      const lines = [
        capLine(table.name, first, claims),
        ...claims.flatMap((claim) => claimLines(table.name, claim, creditedAt)),
      ]
      const items = lines.map(({ item }) => item)
      const tried = await attempt(table, items)
      return tried.kind === 'refused' ? refusalOf(first, lines, tried.reasons) : tried
    },
    pages: (saleId) => pagesOf(table, saleId),
  }
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
  const owned = { ...packetKey(saleId, packet), shopperId, amount, currency, claimedAt, creditedAt }
  return [
    { kind: 'credit', claim, item: { Put: { TableName, Item: credit, ...once } } },
    { kind: 'packet', claim, item: { Put: { TableName, Item: owned, ...once } } },
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
function refusalOf(
  sale: Terms,
  lines: readonly Line[],
  reasons: readonly CancellationReason[],
): CreditRefusal {
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
  creditedAt: z.optional(whole(0, Number.MAX_SAFE_INTEGER)),
})

async function* pagesOf(table: Table, saleId: SaleId): AsyncGenerator<readonly CreditedClaim[]> {
  for await (const page of partPages(table, packetParts(saleId), {})) yield page.map(readPacket)
}

/**
 * The claim in an item.
 * @throws UnexpectedItem
 */
export function readPacket(item: Item): CreditedClaim {
  const owned = parse(ownedPacket, item)
  if (!owned.ok) throw new UnexpectedItem('a packet', owned.detail)
  const { sk: packet, ...facts } = owned.value
  return { packet, ...facts }
}
