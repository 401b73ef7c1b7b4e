/** Answers of the shop's API, as the pages of the tour get them. */
import type { OrderView } from '../../../core/api/shop.ts'
import { parseOrderId, parseSaleId } from '../../../core/ids.ts'
import type { HistoryWord, OrderStatus } from '../../../core/orders/order.ts'

export type OrderChange = Partial<Omit<OrderView, 'saleId' | 'history'>> & {
  saleId: string
  /** The steps, and the status after each. */
  steps?: readonly (readonly [HistoryWord, OrderStatus])[]
}

/** An order of that sale, which waits for its payment unless changed. */
export function anOrder({ saleId: id, steps = [], ...change }: OrderChange): OrderView {
  const saleId = parseSaleId(id)
  const orderId = parseOrderId(`${id}-${'a'.repeat(26)}`)
  if (saleId === undefined || orderId === undefined) throw new Error(`${id} names no sale`)
  const reservedAt = Date.now() - 120_000
  const written = change.status === 'reserved' ? [] : ([['written', 'awaiting-payment']] as const)
  const all = [['reserved', 'reserved'] as const, ...written, ...steps]
  return {
    ...{ orderId, saleId, quantity: 1, amount: 1_290_000, currency: 'CNY' },
    ...{ status: 'awaiting-payment', reservedAt, payBy: reservedAt + 900_000 },
    ...change,
    history: all.map(([what, status], i) => ({ what, status, at: reservedAt + i * 20_000 })),
  }
}
