/**
 * The caps of sales and the totals of their buyers in memory, with the conditions that guard them.
 */
import { type CapUnits, capPartCount, changeOfParts, firstCapPart, openParts } from '../../core/cap-part.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'
import type { VariantUnits } from '../../core/variants.ts'
import type { PacketMoney, SaleTotals, VariantTotals } from '../../functions/orders/order-ledger.ts'
import type { CapLeft, DueClaim } from '../../functions/packets/claim-ledger.ts'

/** `remaining` counts nothing in an unlimited sale. */
type Part = { remaining: number; sold: number; orders: number }

type Cap = {
  capped: boolean
  /** The first part is always there, as in the real table. */
  parts: Map<number, Part>
  redrivenAt?: number
  money?: PacketMoney
  /** In a sale with variants, whose cap is one part. */
  variants?: Map<string, VariantTotals>
}
type Claims = readonly DueClaim[]
type Units = Pick<Order, 'saleId' | 'shopperId' | 'quantity' | 'basket' | 'capPart'>

const buyerOf = (saleId: SaleId, shopperId: ShopperId) => `${saleId} ${shopperId}`

export type UnitCounters = ReturnType<typeof unitCounters>

/** A new cap gets a part for each `unitsPerPart` of its stock. */
export function unitCounters(unitsPerPart: number) {
  const caps = new Map<SaleId, Cap>()
  const bought = new Map<string, number>()

  const capOf = (saleId: SaleId): Cap => {
    const cap = caps.get(saleId)
    if (cap === undefined) throw new Error(`the cap of ${saleId} is missing`)
    return cap
  }

  const moneyOf = (saleId: SaleId): PacketMoney => {
    const { money } = capOf(saleId)
    if (money === undefined) throw new Error(`the cap of ${saleId} has no packet budget`)
    return money
  }

  const changeOfUnits = (cap: Cap, delta: number) =>
    cap.capped ? changeOfParts(unitsOf(cap), delta, unitsPerPart) : undefined

  const count = (units: Units, sign: 1 | -1) => {
    const { saleId, shopperId, quantity, basket = {}, capPart = firstCapPart } = units
    const part = openPart(capOf(saleId), capPart)
    for (const [id, some] of Object.entries(basket)) {
      const variant = variantOf(capOf(saleId), id)
      variant.left -= sign * some
      variant.sold += sign * some
    }
    part.remaining -= sign * quantity
    part.sold += sign * quantity
    part.orders += sign
    const buyer = buyerOf(saleId, shopperId)
    bought.set(buyer, (bought.get(buyer) ?? 0) + sign * quantity)
  }

  return {
    open: (saleId: SaleId, stock: number, budget?: number, stocks?: VariantUnits) => {
      const money = budget === undefined ? {} : { money: { budget, claimed: 0 } }
      const isWhole = budget !== undefined || stocks !== undefined
      const units = isWhole ? new Map([[firstCapPart, stock]]) : openParts(stock, unitsPerPart)
      const ofVariants = Object.entries(stocks ?? {}).map(([id, left]) => [id, { left, sold: 0 }] as const)
      const variants = stocks === undefined ? {} : { variants: new Map(ofVariants) }
      const parts = new Map([...units].map(([part, remaining]) => [part, { remaining, sold: 0, orders: 0 }]))
      caps.set(saleId, { capped: stock !== -1, parts, ...money, ...variants })
    },
    /** False when all parts together, or a variant, have fewer units than are taken away. */
    add: (saleId: SaleId, delta: number, units: VariantUnits = {}): boolean => {
      const cap = capOf(saleId)
      const isWhole = cap.money !== undefined || cap.variants !== undefined
      const change = isWhole ? new Map([[firstCapPart, delta]]) : changeOfUnits(cap, delta)
      const variants = Object.entries(units).map(([id, some]) => ({ variant: variantOf(cap, id), some }))
      if (variants.some(({ variant, some }) => variant.left + some < 0)) return false
      for (const { variant, some } of variants) variant.left += some
      for (const [part, units] of change ?? []) openPart(cap, part).remaining += units
      return change !== undefined
    },
    /** The units left in a part of the cap; undefined when it is always enough. */
    leftIn: (saleId: SaleId, number: number): number | undefined => {
      const { capped, parts } = capOf(saleId)
      const part = parts.get(number)
      if (part === undefined) return 0
      return capped ? part.remaining : undefined
    },
    /** The units left of a variant. */
    leftOf: (saleId: SaleId, id: string): number => capOf(saleId).variants?.get(id)?.left ?? 0,
    ...partCounters(caps, capOf),
    totals: (saleId: SaleId): SaleTotals | undefined => {
      const cap = caps.get(saleId)
      if (cap === undefined) return undefined
      const { capped, money, variants, redrivenAt } = cap
      const { remaining, sold, orders } = sumOf(cap)
      const noted = redrivenAt === undefined ? {} : { redrivenAt }
      return {
        remaining: capped ? remaining : -1,
        sold,
        orders,
        ...noted,
        ...(money && { money: { ...money } }),
        ...(variants && { variants: Object.fromEntries(structuredClone(variants)) }),
      }
    },
    noteRedrive: (saleId: SaleId, now: number) => {
      const cap = caps.get(saleId)
      if (cap !== undefined) cap.redrivenAt = now
    },
    bought: (saleId: SaleId, shopperId: ShopperId) => bought.get(buyerOf(saleId, shopperId)) ?? 0,
    ...claimCounters(capOf, moneyOf),
    take: (units: Units) => count(units, 1),
    giveBack: (units: Units) => count(units, -1),
    /** Throws when more would be returned in all than was ever taken from a part. */
    check: (orders: readonly Units[]) => {
      const wanted = new Map<string, number>()
      for (const { saleId, shopperId, quantity, basket = {}, capPart = firstCapPart } of orders) {
        const buyer = buyerOf(saleId, shopperId)
        const part = `${saleId}#${capPart}`
        wanted.set(part, (wanted.get(part) ?? 0) + quantity)
        wanted.set(buyer, (wanted.get(buyer) ?? 0) + quantity)
        const sold = caps.get(saleId)?.parts.get(capPart)?.sold ?? 0
        const isCovered = sold >= (wanted.get(part) ?? 0)
        const hasVariants = Object.entries(basket).every(([id, units]) => {
          const variant = `${saleId}/${id}`
          wanted.set(variant, (wanted.get(variant) ?? 0) + units)
          return variantOf(capOf(saleId), id).sold >= (wanted.get(variant) ?? 0)
        })
        if (isCovered && hasVariants && (bought.get(buyer) ?? 0) >= (wanted.get(buyer) ?? 0)) continue
        throw new Error(`the cap or a buyer of ${saleId} has less than the orders given back`)
      }
    },
  }
}

function variantOf({ variants }: Cap, id: string): VariantTotals {
  const variant = variants?.get(id)
  if (variant === undefined) throw new Error(`the cap has no variant ${id}`)
  return variant
}

/** A part comes into being with the first units that are moved to it. */
function openPart({ parts }: Cap, number: number): Part {
  const part = parts.get(number) ?? { remaining: 0, sold: 0, orders: 0 }
  parts.set(number, part)
  return part
}

const unitsOf = ({ parts }: Cap) =>
  Array.from({ length: capPartCount }, (_, number) => parts.get(number)?.remaining ?? 0)

function sumOf({ parts }: Cap): Part {
  const sum = { remaining: 0, sold: 0, orders: 0 }
  for (const { remaining, sold, orders } of parts.values()) {
    sum.remaining += remaining
    sum.sold += sold
    sum.orders += orders
  }
  return sum
}

/** The parts of caps, and moves between them. */
function partCounters(caps: ReadonlyMap<SaleId, Cap>, capOf: (saleId: SaleId) => Cap) {
  return {
    parts: (saleId: SaleId): readonly number[] | undefined => {
      const cap = capOf(saleId)
      return cap.capped ? unitsOf(cap) : undefined
    },
    move: (saleId: SaleId, units: CapUnits): 'written' | 'refused' => {
      const cap = caps.get(saleId)
      if (cap?.capped !== true) return 'refused'
      const after = (number: number, delta: number) => (cap.parts.get(number)?.remaining ?? 0) + delta
      if ([...units].some(([number, delta]) => after(number, delta) < 0)) return 'refused'
      for (const [number, delta] of units) openPart(cap, number).remaining += delta
      return 'written'
    },
  }
}

/** The counts of red packets, which use the first part alone: their units, and their money. */
function claimCounters(capOf: (saleId: SaleId) => Cap, moneyOf: (saleId: SaleId) => PacketMoney) {
  return {
    /** The cap's remainder when it is too small for `claims` of one sale, otherwise undefined. */
    shortOf: (claims: Claims): CapLeft | undefined => {
      const [first] = claims
      if (first === undefined) return undefined
      const { remaining } = openPart(capOf(first.saleId), firstCapPart)
      const { budget, claimed, closedAt } = moneyOf(first.saleId)
      if (budget !== first.budget) throw new Error(`the cap of ${first.saleId} says ${budget}`)
      const isClosed = closedAt !== undefined
      const suffices = remaining >= claims.length && claimed + amountOf(claims) <= budget && !isClosed
      return suffices ? undefined : { packets: remaining, money: budget - claimed, isClosed }
    },
    takeForClaims: (claims: Claims) => {
      const [first] = claims
      if (first === undefined) return
      const part = openPart(capOf(first.saleId), firstCapPart)
      part.remaining -= claims.length
      part.sold += claims.length
      part.orders += claims.length
      moneyOf(first.saleId).claimed += amountOf(claims)
    },
    /**
     * Closes the budget. True when this call closed it: it was open, and `seen` is the amount
     * credited.
     */
    close: (saleId: SaleId, seen: number, closedAt: number): boolean => {
      const money = moneyOf(saleId)
      if (money.closedAt !== undefined || money.claimed !== seen) return false
      money.closedAt = closedAt
      return true
    },
  }
}

const amountOf = (claims: Claims) => claims.reduce((sum, { amount }) => sum + amount, 0)
