/**
 * The cap of a sale as an item of the table: what may still be sold, and the units and number of its active orders. An
 * unlimited sale has no `remaining`, and no update here ever adds it, or the sale would begin to run out (S4). A cap of red
 * packets also has `budget`, what the packets hold, which never changes, and `claimed`, how much of it was credited.
 *
 * The cap may have several parts, one item each: the first exists from the start and has all of the above, the others have
 * `remaining`, `sold` and `orders` of their own. An order takes its units from one part and returns them to it. `gained` counts
 * the units returned to a part or added to it, so a return is visible even if a purchase takes as many units before the next
 * read.
 *
 * The cap of a sale with variants is one part, which has `left.<id>` and `sold.<id>` for each of them beside its totals: every
 * update changes both (N1).
 */
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import { parse, whole } from '../../../core/lib/parse.ts'
import { type CapUnits, firstCapPart, initialParts, unitsPerCapPart } from '../../../core/orders/cap-part.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { VariantUnits } from '../../../core/sale/variants.ts'
import { readStored, UnexpectedItem } from '../dynamodb.ts'
import { capKey, capPartKey } from '../keys.ts'
import type { TransactionItem } from '../transaction.ts'

/**
 * The table's totals of a sale: `sold` units in `orders` active orders. `remaining` is -1 for unlimited. `variants` are the
 * units of each variant by its id, in a sale that has some. `money` is set for red packets.
 */
export type SaleTotals = {
  remaining: number
  sold: number
  orders: number
  /** When dead letters of the sale were last redriven, epoch ms; absent when they never were. */
  redrivenAt?: number
  /** By window, how long after its opening it sold out, and its stock then; absent before the first did. */
  soldOut?: Readonly<Record<string, SoldOutWindow>>
  variants?: Readonly<Record<string, VariantTotals>>
  money?: PacketMoney
}

/** `afterMs` is from `msAfterOpening`. */
type SoldOutWindow = { afterMs: number; stock: number }

/** The units left of one variant, and those in active orders. */
type VariantTotals = { left: number; sold: number }

/**
 * The money of all packets of a sale, and the credited part of it, in minor units. `closedAt` (epoch ms) is set once the budget
 * is closed: the rest was returned, and no more is credited.
 */
export type PacketMoney = { budget: number; claimed: number; closedAt?: number }

/**
 * Units that several orders take from one part of a cap; `capped` is false for an unlimited stock. `others` are the counts they
 * take from further counters, by `leftOf` and `moneyLeft`; `budget` is the money of all red packets.
 */
export type TakenUnits = UnitsOfOrders & { others?: Readonly<Record<string, number>>; budget?: number | undefined }

/** Returned units; `variants` says how many are of each variant, in a sale that has some. */
export type ReturnedUnits = UnitsOfOrders & { variants?: VariantUnits | undefined }

type UnitsOfOrders = { part: number; quantity: number; orders: number; capped: boolean }

/**
 * Returns the items of a new cap. `budget` is for red packets, whose cap is one part, because a claim compares with all of the
 * money. `variants` are the units of each variant. Fails when the cap exists.
 */
export function openCap(
  TableName: string,
  saleId: SaleId,
  { stock, budget, variants }: { stock: number; budget?: number | undefined; variants?: VariantUnits | undefined },
  unitsPerPart = unitsPerCapPart,
): TransactionItem[] {
  const isSinglePart = budget !== undefined || variants !== undefined
  const parts = isSinglePart ? new Map([[firstCapPart, stock]]) : initialParts(stock, unitsPerPart)
  const money = budget === undefined ? {} : { budget, claimed: 0 }
  const counters = Object.entries(variants ?? {}).flatMap(([id, units]) => [
    [leftOf(id), units],
    [soldOf(id), 0],
  ])
  return [...parts].map(([part, units]) => ({
    Put: {
      TableName,
      Item: {
        ...capPartKey(saleId, part),
        ...(units === -1 ? {} : { remaining: units }),
        sold: 0,
        orders: 0,
        ...money,
        ...Object.fromEntries(counters),
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }))
}

/**
 * Adds units to parts, or removes them if negative; a further part need not exist. Fails for an unlimited sale, and when fewer
 * units remain than are removed. `variants` says how many are of each variant; the cap is then one part.
 */
export function addToParts(
  TableName: string,
  saleId: SaleId,
  units: CapUnits,
  variants: VariantUnits = {},
): TransactionItem[] {
  const counters = changeOf(Object.entries(variants).map(([id, delta]) => [leftOf(id), delta]))
  return [...units].map(([part, delta]) => {
    const known = and(delta < 0 ? 'remaining >= :less' : 'attribute_exists(remaining)', counters)
    const mayBeNew = part !== firstCapPart && delta >= 0
    return {
      Update: {
        TableName,
        Key: capPartKey(saleId, part),
        UpdateExpression: `ADD remaining :delta, sold :none, orders :none${counters.added}, gained :delta`,
        ConditionExpression: mayBeNew ? `attribute_not_exists(pk) OR ${known}` : known,
        ...counters.names,
        ExpressionAttributeValues: {
          ':delta': delta,
          ':none': 0,
          ...(delta < 0 ? { ':less': -delta } : {}),
          ...counters.values,
        },
      },
    }
  })
}

/**
 * Takes units for orders. Fails, with the old item if there is one, when less than `quantity` remains in the part (I1), a
 * variant has too few units left, the red packets hold more than is left of the budget or it is closed, or the cap does not
 * match `capped` and `budget`: a condition can compare with the budget but not calculate with it.
 */
export function takeFromCap(TableName: string, saleId: SaleId, units: TakenUnits): TransactionItem {
  const { part, quantity, others = {}, budget, orders, capped } = units
  const { [moneyLeft]: money, ...variants } = others
  const taken = ([name, count]: [string, number]): Counters => [
    [name, -count],
    [name.replace(leftPrefix, soldPrefix), count],
  ]
  const counters = changeOf(Object.entries(variants).flatMap(taken))
  const paid =
    money === undefined || budget === undefined
      ? undefined
      : { ':money': money, ':budget': budget, ':room': budget - money }
  const ofBudget = paid ? ' AND budget = :budget AND claimed <= :room AND attribute_not_exists(closedAt)' : ''
  return {
    Update: {
      TableName,
      Key: capPartKey(saleId, part),
      UpdateExpression: `ADD sold :quantity, orders :orders${capped ? ', remaining :less' : ''}${paid ? ', claimed :money' : ''}${counters.added}`,
      ConditionExpression: capped
        ? and('remaining >= :quantity', counters) + ofBudget
        : 'attribute_exists(pk) AND attribute_not_exists(remaining)',
      ...counters.names,
      ExpressionAttributeValues: {
        ':quantity': quantity,
        ':orders': orders,
        ...(capped ? { ':less': -quantity } : {}),
        ...paid,
        ...counters.values,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

/**
 * Closes a red-packet budget: no more is credited, so that the returned money cannot be claimed as well. `seen` is what was
 * credited when that was computed. Fails when it has changed, when the budget is closed, and for other sales.
 */
export function closeCap(
  TableName: string,
  saleId: SaleId,
  { closedAt, seen }: { closedAt: number; seen: number },
): TransactionItem {
  return {
    Update: {
      TableName,
      Key: capKey(saleId),
      UpdateExpression: 'SET closedAt = :now',
      ConditionExpression: 'claimed = :seen AND attribute_not_exists(closedAt)',
      ExpressionAttributeValues: { ':now': closedAt, ':seen': seen },
    },
  }
}

/** Returns units of orders to the cap. Fails, with the old item, when less was sold, or the cap does not match `capped`. */
export function releaseFromCap(TableName: string, saleId: SaleId, units: ReturnedUnits): TransactionItem {
  const { part, quantity, variants = {}, orders, capped } = units
  const returned = ([id, count]: [string, number]): Counters => [
    [leftOf(id), count],
    [soldOf(id), -count],
  ]
  const counters = changeOf(Object.entries(variants).flatMap(returned))
  const kind = capped ? 'attribute_exists(remaining)' : 'attribute_not_exists(remaining)'
  return {
    Update: {
      TableName,
      Key: capPartKey(saleId, part),
      UpdateExpression: `ADD sold :less, orders :fewer${capped ? ', remaining :quantity' : ''}${counters.added}, gained :quantity`,
      ConditionExpression: and(`sold >= :quantity AND orders >= :orders AND ${kind}`, counters),
      ...counters.names,
      ExpressionAttributeValues: {
        ':quantity': quantity,
        ':orders': orders,
        ':less': -quantity,
        ':fewer': -orders,
        ...counters.values,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

const leftPrefix = 'left.'

/** The attributes of a variant. `ADD` only changes top-level attributes, so they are not in a map. */
const leftOf = (id: string) => `${leftPrefix}${id}`
const soldPrefix = 'sold.'
const soldOf = (id: string) => soldPrefix + id
/** The name of the counter of the money left in the budget of red packets, which is not an attribute. */
export const moneyLeft = 'money'

/**
 * Returns what an order takes from further counters of the cap, by counter name: units of its variant, or the money of its red
 * packet. The cap is then one part.
 */
export function otherCounters({
  variant,
  quantity,
  packet,
}: Pick<Order, 'variant' | 'quantity' | 'packet'>): Readonly<Record<string, number>> {
  return { ...(variant && { [leftOf(variant)]: quantity }), ...(packet && { [moneyLeft]: packet.amount }) }
}

/** Returns what is left of the counters `names` in the item of a cap; 0 for an unknown variant and a closed budget. */
export function countersLeft(
  names: readonly string[],
  item: Readonly<Record<string, { N?: string | undefined }>> = {},
) {
  const count = (name: string) => Number(item[name]?.N ?? 0)
  const money = () => (item.closedAt === undefined ? count('budget') - count('claimed') : 0)
  return Object.fromEntries(names.map((name) => [name, name === moneyLeft ? money() : count(name)]))
}

/** Attributes, and the count added to each. */
type Counters = [name: string, delta: number][]

/** Returns the parts of an update that changes counters of variants. Each must exist, and none falls below 0. */
function changeOf(counters: Counters) {
  const names: Record<string, string> = {}
  const values: Record<string, number> = {}
  const conditions: string[] = []
  const changed = counters.filter(([, delta]) => delta !== 0)
  for (const [at, [name, delta]] of changed.entries()) {
    names[`#v${at}`] = name
    values[`:v${at}`] = delta
    if (delta < 0) values[`:w${at}`] = -delta
    conditions.push(delta < 0 ? `#v${at} >= :w${at}` : `attribute_exists(#v${at})`)
  }
  return {
    added: changed.map((_, at) => `, #v${at} :v${at}`).join(''),
    conditions,
    // DynamoDB refuses an empty map of names.
    names: changed.length === 0 ? {} : { ExpressionAttributeNames: names },
    values,
  }
}

const and = (condition: string, { conditions }: { conditions: readonly string[] }) =>
  [condition, ...conditions].join(' AND ')

const max = Number.MAX_SAFE_INTEGER
const storedSoldOut = z.object({ afterMs: whole(0, max), stock: whole(-1, max) })
const storedVariant = z.object({ left: whole(0, max), sold: whole(0, max) })
const storedCap = z.object({
  remaining: z.optional(whole(0, max)),
  sold: whole(0, max),
  orders: whole(0, max),
  budget: z.optional(whole(0, max)),
  claimed: z.optional(whole(0, max)),
  closedAt: z.optional(whole(0, max)),
  redrivenAt: z.optional(whole(0, max)),
})

/** Sums the items of a cap, of which there is at least one. @throws UnexpectedItem */
export function readCapParts(items: readonly Record<string, unknown>[]): SaleTotals {
  const parts = items.map(readCap)
  const limited = parts.filter(({ remaining }) => remaining !== -1)
  if (limited.length > 0 && limited.length < parts.length) {
    throw new UnexpectedItem('a cap', 'a part is limited and another is not')
  }
  const sumOf = (what: 'remaining' | 'sold' | 'orders') => parts.reduce((sum, part) => sum + part[what], 0)
  return {
    ...Object.assign({}, ...parts),
    remaining: limited.length === 0 ? -1 : sumOf('remaining'),
    sold: sumOf('sold'),
    orders: sumOf('orders'),
  }
}

/** Reads one item of a cap. @throws UnexpectedItem */
export function readCap(item: Record<string, unknown>): SaleTotals {
  const cap = readStored('a cap', storedCap, item)
  const { remaining, sold, orders, budget, claimed, closedAt, redrivenAt } = cap
  const variants = variantsIn(item)
  const soldOut = soldOutIn(item)
  const totals = {
    remaining: remaining ?? -1,
    sold,
    orders,
    ...(redrivenAt !== undefined && { redrivenAt }),
    ...(variants && { variants }),
    ...(soldOut && { soldOut }),
  }
  if (budget === undefined || claimed === undefined) return totals
  return { ...totals, money: { budget, claimed, ...(closedAt !== undefined && { closedAt }) } }
}

const soldOutPrefix = 'soldOut.'

/** The attribute with the time to sell out of a window. */
export const soldOutOf = (windowIndex: number) => `${soldOutPrefix}${windowIndex}`

/** @throws UnexpectedItem */
function soldOutIn(item: Record<string, unknown>): SaleTotals['soldOut'] {
  const noted = Object.entries(item).flatMap(([name, value]) => {
    if (!name.startsWith(soldOutPrefix)) return []
    const read = parse(storedSoldOut, value)
    if (!read.ok) throw new UnexpectedItem('a cap', `${name}: ${read.detail}`)
    return [[name.slice(soldOutPrefix.length), read.value] as const]
  })
  return noted.length === 0 ? undefined : Object.fromEntries(noted)
}

/** @throws UnexpectedItem */
function variantsIn(item: Record<string, unknown>): Record<string, VariantTotals> | undefined {
  const ids = Object.keys(item).flatMap((name) => (name.startsWith(leftPrefix) ? [name.slice(leftPrefix.length)] : []))
  if (ids.length === 0) return undefined
  const counters = ids.map((id) => {
    const read = parse(storedVariant, { left: item[leftOf(id)], sold: item[soldOf(id)] })
    if (!read.ok) throw new UnexpectedItem('a cap', `${id}: ${read.detail}`)
    return [id, read.value] as const
  })
  return Object.fromEntries(counters)
}
