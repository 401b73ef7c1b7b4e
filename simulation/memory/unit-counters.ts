/**
 * The caps of sales and the totals of their buyers in memory, with the conditions that guard them.
 */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'
import type { PacketMoney, SaleTotals } from '../../functions/orders/order-ledger.ts'
import type { CapLeft, DueClaim } from '../../functions/packets/claim-ledger.ts'

type Cap = SaleTotals & { capped: boolean }
type Claims = readonly DueClaim[]
type Units = Pick<Order, 'saleId' | 'shopperId' | 'quantity'>

const buyerOf = (saleId: SaleId, shopperId: ShopperId) => `${saleId} ${shopperId}`

export type UnitCounters = ReturnType<typeof unitCounters>

export function unitCounters() {
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

  const move = ({ saleId, shopperId, quantity }: Units, sign: 1 | -1) => {
    const cap = capOf(saleId)
    if (cap.capped) cap.remaining -= sign * quantity
    cap.sold += sign * quantity
    cap.orders += sign
    const buyer = buyerOf(saleId, shopperId)
    bought.set(buyer, (bought.get(buyer) ?? 0) + sign * quantity)
  }

  return {
    open: (saleId: SaleId, stock: number, budget?: number) => {
      const money = budget === undefined ? {} : { money: { budget, claimed: 0 } }
      caps.set(saleId, { capped: stock !== -1, remaining: stock, sold: 0, orders: 0, ...money })
    },
    add: (saleId: SaleId, delta: number) => {
      const cap = capOf(saleId)
      if (cap.capped) cap.remaining += delta
    },
    capOf,
    totals: (saleId: SaleId): SaleTotals | undefined => {
      const cap = caps.get(saleId)
      if (cap === undefined) return undefined
      const { capped, remaining, sold, orders, money, redrivenAt } = cap
      const noted = redrivenAt === undefined ? {} : { redrivenAt }
      return {
        remaining: capped ? remaining : -1,
        sold,
        orders,
        ...noted,
        ...(money && { money: { ...money } }),
      }
    },
    noteRedrive: (saleId: SaleId, now: number) => {
      const cap = caps.get(saleId)
      if (cap !== undefined) cap.redrivenAt = now
    },
    bought: (saleId: SaleId, shopperId: ShopperId) => bought.get(buyerOf(saleId, shopperId)) ?? 0,
    ...claimCounters(capOf, moneyOf),
    take: (units: Units) => move(units, 1),
    giveBack: (units: Units) => move(units, -1),
    /** Throws when more would be returned in all than was ever taken. */
    check: (orders: readonly Units[]) => {
      const wanted = new Map<string, number>()
      for (const { saleId, shopperId, quantity } of orders) {
        const buyer = buyerOf(saleId, shopperId)
        wanted.set(saleId, (wanted.get(saleId) ?? 0) + quantity)
        wanted.set(buyer, (wanted.get(buyer) ?? 0) + quantity)
        const isCovered = (caps.get(saleId)?.sold ?? 0) >= (wanted.get(saleId) ?? 0)
        if (isCovered && (bought.get(buyer) ?? 0) >= (wanted.get(buyer) ?? 0)) continue
        throw new Error(`the cap or a buyer of ${saleId} has less than the orders given back`)
      }
    },
  }
}

/** The counts of red packets: their units, and their money. */
function claimCounters(capOf: (saleId: SaleId) => Cap, moneyOf: (saleId: SaleId) => PacketMoney) {
  return {
    /** The cap's remainder when it is too small for `claims` of one sale, otherwise undefined. */
    shortOf: (claims: Claims): CapLeft | undefined => {
      const [first] = claims
      if (first === undefined) return undefined
      const { remaining } = capOf(first.saleId)
      const { budget, claimed, closedAt } = moneyOf(first.saleId)
      if (budget !== first.budget) throw new Error(`the cap of ${first.saleId} says ${budget}`)
      const isClosed = closedAt !== undefined
      const suffices = remaining >= claims.length && claimed + amountOf(claims) <= budget && !isClosed
      return suffices ? undefined : { packets: remaining, money: budget - claimed, isClosed }
    },
    takeForClaims: (claims: Claims) => {
      const [first] = claims
      if (first === undefined) return
      const cap = capOf(first.saleId)
      cap.remaining -= claims.length
      cap.sold += claims.length
      cap.orders += claims.length
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
