/**
 * Writes one DynamoDB transaction per chunk: every order, with its buyer's total or its red packet, and one update for each part
 * of a cap that orders take units from. A cap is up to 32 items, its parts; cap-part-writer.ts, which wraps this writer, chooses
 * the part. The conditions ensure that no more is sold than there is (I1), and to no shopper beyond the limit (I3); on
 * failure the reasons come in the order of the items.
 */
import type { OrderId, SaleId } from '../../../core/ids.ts'
import { firstCapPart } from '../../../core/orders/cap-part.ts'
import type { Committed } from '../../lib/group-commit.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { type CancellationReason, conditionFailed } from '../dynamodb.ts'
import { packetPut } from '../packets/wallets.ts'
import { countersLeft, otherCounters, type TakenUnits, takeFromCap } from '../stock/cap-item.ts'
import { runTransaction, type TransactionItem } from '../transaction.ts'
import { addToBuyer } from './buyer-item.ts'
import type { OrderEntry } from './order-entry.ts'
import { newOrderPut } from './order-item.ts'
import { releasePut } from './releases.ts'

/**
 * Why a transaction was refused. `caps` holds the units left in the part of each sale whose cap refused, and `counters` what is
 * left of its further counters: the units of variants, and the money of red packets. The red packets of `packetTaken` belong to
 * another order. An order that is already written is only in `duplicates`.
 */
export type CommitRefusal = {
  kind: 'refused'
  duplicates: ReadonlySet<OrderId>
  overLimit: ReadonlySet<OrderId>
  packetTaken: ReadonlySet<OrderId>
  caps: ReadonlyMap<SaleId, number>
  counters: ReadonlyMap<SaleId, Readonly<Record<string, number>>>
}

export type WriteResult = Committed<CommitRefusal>

/**
 * Writes all of the chunk or nothing. Rejected orders use neither cap nor limit. The others take their units from the part of
 * the cap that they name; all orders of one sale in a chunk name the same part. `busy` or `unavailable` is no refusal: the
 * caller retries until its deadline, after which SQS redelivers the messages.
 */
export type OrderWriter = { write: (chunk: readonly OrderEntry[]) => Promise<WriteResult> }

/** An item of the transaction with its order, to interpret its cancellation reason. */
type Line = { item: TransactionItem } & (
  | ({ kind: 'cap'; saleId: SaleId; others: Readonly<Record<string, number>> } & Pick<TakenUnits, 'part' | 'budget'>)
  | { kind: 'order' | 'buyer' | 'packet' | 'release'; orderId: OrderId }
)

export function dynamoOrderWriter(table: Table): OrderWriter {
  return {
    async write(chunk) {
      const lines = [...capLines(table.name, chunk), ...chunk.flatMap((entry) => orderLines(table.name, entry))]
      const items = lines.map(({ item }) => item)
      const tried = await runTransaction(table, items)
      return tried.kind === 'refused' ? refusalOf(lines, tried.reasons) : tried
    },
  }
}

/** Returns one update per part, because an item may appear only once. */
function capLines(TableName: string, chunk: readonly OrderEntry[]): Line[] {
  const taking = chunk.filter(({ order }) => order.status !== 'rejected')
  const partOf = ({ order: { saleId, capPart = firstCapPart } }: OrderEntry) => `${saleId}#${capPart}`
  return [...Map.groupBy(taking, partOf).values()].flatMap((entries): Line[] => {
    const [first] = entries
    if (first === undefined) return []
    const { order, capped, budget } = first
    const { saleId, capPart: part = firstCapPart } = order
    const others: Record<string, number> = {}
    for (const one of entries) {
      for (const [name, count] of Object.entries(otherCounters(one.order))) others[name] = (others[name] ?? 0) + count
    }
    const quantity = entries.reduce((units, one) => units + one.order.quantity, 0)
    const units: TakenUnits = { part, quantity, orders: entries.length, capped, others, budget }
    return [{ kind: 'cap', saleId, part, others, budget, item: takeFromCap(TableName, saleId, units) }]
  })
}

/** Returns an order's items. A rejected order also gets a due release, because Redis holds its units, which `reconcile` returns. */
function orderLines(TableName: string, { order, limit }: OrderEntry): Line[] {
  const { orderId, quantity, status, packet } = order
  const written: Line = { kind: 'order', orderId, item: newOrderPut(TableName, order) }
  if (status === 'rejected') return [written, { kind: 'release', orderId, item: releasePut(TableName, order) }]
  if (packet === undefined) {
    return [written, { kind: 'buyer', orderId, item: addToBuyer(TableName, order, quantity, limit) }]
  }
  // A shopper has one order id in a sale of red packets, so there is no total to compare with the limit.
  return [written, { kind: 'packet', orderId, item: packetPut(TableName, order, packet) }]
}

function refusalOf(lines: readonly Line[], reasons: readonly CancellationReason[]): CommitRefusal {
  const duplicates = new Set<OrderId>()
  const overLimit = new Set<OrderId>()
  const packetTaken = new Set<OrderId>()
  const caps = new Map<SaleId, number>()
  const counters = new Map<SaleId, Readonly<Record<string, number>>>()
  lines.forEach((line, index) => {
    const reason = reasons[index]
    if (!conditionFailed(reason)) return
    if (line.kind === 'cap') {
      caps.set(line.saleId, remainingOf(line, reason))
      const names = Object.keys(line.others)
      if (names.length > 0) counters.set(line.saleId, countersLeft(names, reason?.Item))
    } else if (line.kind === 'order') duplicates.add(line.orderId)
    // The line of an order precedes its other lines, so a duplicate is known here.
    else if (duplicates.has(line.orderId)) return
    else if (line.kind === 'packet') packetTaken.add(line.orderId)
    else overLimit.add(line.orderId)
  })
  return { kind: 'refused', duplicates, overLimit, packetTaken, caps, counters }
}

/**
 * Returns the units left in the part that refused; a further part that does not exist yet has none. Throws for a
 * missing cap (the sale was never warmed) and for another budget (it was warmed with other packets): both are bugs.
 */
function remainingOf(
  { saleId, part, budget }: { saleId: SaleId } & Pick<TakenUnits, 'part' | 'budget'>,
  reason: CancellationReason | undefined,
): number {
  if (reason?.Item === undefined && part !== firstCapPart) return 0
  const remaining = Number(reason?.Item?.remaining?.N)
  if (!Number.isSafeInteger(remaining)) throw new Error(`the cap of ${saleId} is missing or not a number`)
  if (budget !== undefined && Number(reason?.Item?.budget?.N) !== budget) {
    throw new Error(`the red packets of ${saleId} hold ${budget} in all, and its cap says otherwise`)
  }
  return remaining
}
