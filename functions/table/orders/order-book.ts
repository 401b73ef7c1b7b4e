/**
 * One DynamoDB transaction per chunk: every order, its buyer's total, and one update for each part
 * of a cap that orders sell from.
 * The conditions decide I1 and I3; on failure the reasons come in the order of the items.
 */

import type { OrderId, SaleId } from '../../../core/ids.ts'
import { firstCapPart } from '../../../core/orders/cap-part.ts'
import type { VariantUnits } from '../../../core/sale/variants.ts'
import type { Committed } from '../../lib/group-commit.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type CancellationReason, conditionFailed } from '../dynamodb.ts'
import { leftOf, type TakenUnits, takeFromCap } from '../stock/cap-item.ts'
import { attempt, type TransactionItem } from '../transaction.ts'
import { takeForBuyer } from './buyer-item.ts'
import type { OrderEntry } from './order-entry.ts'
import { newOrderPut } from './order-item.ts'
import { releasePut } from './releases.ts'

/**
 * Why a transaction was refused. `caps` holds the units left in each cap that did not suffice, and
 * `variants` those of its variants that were wanted, in a sale that has some. An order that is already
 * written is only in `duplicates`.
 */
export type CommitRefusal = {
  kind: 'refused'
  duplicates: ReadonlySet<OrderId>
  overLimit: ReadonlySet<OrderId>
  caps: ReadonlyMap<SaleId, number>
  variants?: ReadonlyMap<SaleId, VariantUnits>
}

export type Written = Committed<CommitRefusal>

/**
 * One transaction: all of the chunk or nothing. Rejected orders use neither cap nor limit. The
 * others take their units from the part of the cap that they name, all of a sale from the same.
 */
export type OrderBook = { write: (chunk: readonly OrderEntry[]) => Promise<Written> }

/** Which order an item of the transaction belongs to, to interpret its cancellation reason. */
type Line = { item: TransactionItem } & (
  | { kind: 'cap'; saleId: SaleId; part: number; variants: VariantUnits | undefined }
  | { kind: 'order' | 'buyer' | 'release'; orderId: OrderId }
)

export function dynamoOrderBook(table: Table): OrderBook {
  return {
    async write(chunk) {
      const lines = [...capLines(table.name, chunk), ...chunk.flatMap((entry) => orderLines(table.name, entry))]
      const items = lines.map(({ item }) => item)
      const tried = await attempt(table, items)
      return tried.kind === 'refused' ? refusalOf(lines, tried.reasons) : tried
    },
  }
}

/** One update per part, because an item may appear only once. */
function capLines(TableName: string, chunk: readonly OrderEntry[]): Line[] {
  const wanted = new Map<string, TakenUnits & { saleId: SaleId }>()
  for (const { order, capped } of chunk) {
    if (order.status === 'rejected') continue
    const { saleId, capPart: part = firstCapPart } = order
    const key = `${saleId}#${part}`
    const { quantity, orders, variants } = wanted.get(key) ?? { quantity: 0, orders: 0 }
    wanted.set(key, {
      ...{ saleId, part, quantity: quantity + order.quantity, orders: orders + 1, capped },
      variants:
        order.variant === undefined
          ? variants
          : { ...variants, [order.variant]: (variants?.[order.variant] ?? 0) + order.quantity },
    })
  }
  return [...wanted.values()].map(({ saleId, ...units }) => ({
    kind: 'cap',
    saleId,
    part: units.part,
    variants: units.variants,
    item: takeFromCap(TableName, saleId, units),
  }))
}

/**
 * A rejected order takes nothing, but Redis holds its units: their release is due from here on.
 */
function orderLines(TableName: string, { order, limit }: OrderEntry): Line[] {
  const { orderId, quantity, status } = order
  return [
    { kind: 'order', orderId, item: newOrderPut(TableName, order) },
    status === 'rejected'
      ? { kind: 'release', orderId, item: releasePut(TableName, order) }
      : { kind: 'buyer', orderId, item: takeForBuyer(TableName, order, quantity, limit) },
  ]
}

function refusalOf(lines: readonly Line[], reasons: readonly CancellationReason[]): CommitRefusal {
  const duplicates = new Set<OrderId>()
  const overLimit = new Set<OrderId>()
  const caps = new Map<SaleId, number>()
  const variants = new Map<SaleId, VariantUnits>()
  lines.forEach((line, index) => {
    const reason = reasons[index]
    if (!conditionFailed(reason)) return
    if (line.kind === 'cap') {
      caps.set(line.saleId, remainingOf(line, reason))
      if (line.variants !== undefined) variants.set(line.saleId, leftOfEach(line.variants, reason))
    } else if (line.kind === 'order') duplicates.add(line.orderId)
    else if (!duplicates.has(line.orderId)) overLimit.add(line.orderId)
  })
  return { kind: 'refused', duplicates, overLimit, caps, ...(variants.size > 0 && { variants }) }
}

/**
 * The units left in the part that refused; a further part that does not exist yet has none. A
 * missing cap was never warmed, which is a fault of ours.
 */
function remainingOf(
  { saleId, part }: { saleId: SaleId; part: number },
  reason: CancellationReason | undefined,
): number {
  if (reason?.Item === undefined && part !== firstCapPart) return 0
  const remaining = Number(reason?.Item?.remaining?.N)
  if (!Number.isSafeInteger(remaining)) throw new Error(`the cap of ${saleId} is missing or not a number`)
  return remaining
}

/** The units left of each variant that was wanted; an unknown one has none. */
function leftOfEach(variants: VariantUnits, reason: CancellationReason | undefined): VariantUnits {
  return Object.fromEntries(Object.keys(variants).map((id) => [id, Number(reason?.Item?.[leftOf(id)]?.N ?? 0)]))
}
