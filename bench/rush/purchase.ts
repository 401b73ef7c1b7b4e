/** What a crowd asks of a sale of goods or coupons: one order each. */
import { holdsUnits, orderStatuses } from '../../core/order.ts'
import { type Line, memberOf, numberOf, type Reply, textOf } from './http.ts'
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
  return {
    click: ({ token, key }) => line.post(path, token, body, key),
    readWin: readPurchase,
    lookUp: async ({ token }, lookup) => readOrders((await line.get(lookup, token)).reply),
  }
}

const standing = new Set<string>(orderStatuses.filter(holdsUnits))

/** The one order of a shopper who wanted one; undefined when there is none that stands. */
export function readOrders(reply: Reply | undefined): PromisedOrder | undefined {
  const list = reply?.status === 200 ? memberOf(reply.body, 'orders') : undefined
  const found = Array.isArray(list)
    ? list.find((one) => standing.has(textOf(one, 'status') ?? ''))
    : undefined
  const orderId = textOf(found, 'orderId')
  const quantity = numberOf(found, 'quantity')
  return orderId === undefined || quantity === undefined ? undefined : { orderId, quantity }
}

export function readPurchase({ status, body }: Reply): Win<PromisedOrder> | undefined {
  if (status !== 202 && status !== 200) return undefined
  const orderId = textOf(body, 'orderId')
  const quantity = numberOf(body, 'quantity')
  const prize = orderId === undefined || quantity === undefined ? undefined : { orderId, quantity }
  return { code: status === 202 ? 'reserved' : 'repeat', prize }
}
