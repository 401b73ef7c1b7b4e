/** The caps of sales and the totals of their buyers in memory, with the conditions that guard them. */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import type { Order } from '../../../core/order.ts'
import type { SaleTotals } from '../../../functions/order-life/order-ledger.ts'

type Cap = SaleTotals & { capped: boolean }
type Units = Pick<Order, 'saleId' | 'shopperId' | 'quantity'>

const buyerOf = (saleId: SaleId, shopperId: ShopperId) => `${saleId} ${shopperId}`

export function unitCounters() {
  const caps = new Map<SaleId, Cap>()
  const bought = new Map<string, number>()

  const capOf = (saleId: SaleId): Cap => {
    const cap = caps.get(saleId)
    if (cap === undefined) throw new Error(`the cap of ${saleId} is missing`)
    return cap
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
    open: (saleId: SaleId, stock: number) => {
      caps.set(saleId, { capped: stock !== -1, remaining: stock, sold: 0, orders: 0 })
    },
    add: (saleId: SaleId, delta: number) => {
      const cap = capOf(saleId)
      if (cap.capped) cap.remaining += delta
    },
    capOf,
    totals: (saleId: SaleId): SaleTotals | undefined => {
      const cap = caps.get(saleId)
      if (cap === undefined) return undefined
      const { capped, remaining, sold, orders } = cap
      return { remaining: capped ? remaining : -1, sold, orders }
    },
    bought: (saleId: SaleId, shopperId: ShopperId) => bought.get(buyerOf(saleId, shopperId)) ?? 0,
    take: (units: Units) => move(units, 1),
    giveBack: (units: Units) => move(units, -1),
    /** Throws when more is to be given back, in all, than was ever taken. */
    check: (given: readonly Units[]) => {
      const wanted = new Map<string, number>()
      for (const { saleId, shopperId, quantity } of given) {
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
