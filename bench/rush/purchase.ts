/** What a crowd asks of a sale of goods or coupons: one order each. */
import { type Line, numberOf, type Reply, textOf } from './http.ts'
import type { OpenSale } from './open-sale.ts'
import type { Door, Win } from './shopper.ts'

/** What a 202, or the 200 that repeats one, promises. */
export type PromisedOrder = { orderId: string; quantity: number }

export function purchase(
  line: Line,
  { saleId, startToken }: OpenSale,
  quantity: number,
): Door<PromisedOrder> {
  const path = `/api/sales/${saleId}/orders`
  const body = { quantity, startToken }
  return { click: ({ token, key }) => line.post(path, token, body, key), readWin: readPurchase }
}

export function readPurchase({ status, body }: Reply): Win<PromisedOrder> | undefined {
  if (status !== 202 && status !== 200) return undefined
  const orderId = textOf(body, 'orderId')
  const quantity = numberOf(body, 'quantity')
  const prize = orderId === undefined || quantity === undefined ? undefined : { orderId, quantity }
  return { code: status === 202 ? 'reserved' : 'repeat', prize }
}
