/** The buy requests of a rush for goods or coupons: one order per shopper. */
import { holdsUnits, orderStatuses } from '../../core/order.ts'
import { type HttpClient, type HttpReply, memberOf, numberMember, textMember } from './http.ts'
import type { OpenSale } from './open-sale.ts'
import type { PrizeRequest, Win } from './shopper.ts'

/** The order in a 202 answer, or in the 200 that repeats it. */
export type WonOrder = { orderId: string; quantity: number }

export function buyRequest(
  client: HttpClient,
  { saleId, startToken }: OpenSale,
  quantity: number,
): PrizeRequest<WonOrder> {
  const path = `/api/sales/${saleId}/orders`
  const body = { quantity, startToken }
  return {
    send: (shopper) => client.post(path, shopper, body, shopper.key),
    readWin: readBuyAnswer,
    lookUp: async ({ token }, lookup) => readWonOrder((await client.get(lookup, token)).reply),
  }
}

const standing = new Set<string>(orderStatuses.filter(holdsUnits))

/** The one order of a shopper that holds units; undefined when there is none. */
export function readWonOrder(reply: HttpReply | undefined): WonOrder | undefined {
  const list = reply?.status === 200 ? memberOf(reply.body, 'orders') : undefined
  const found = Array.isArray(list)
    ? list.find((one) => standing.has(textMember(one, 'status') ?? ''))
    : undefined
  const orderId = textMember(found, 'orderId')
  const quantity = numberMember(found, 'quantity')
  return orderId === undefined || quantity === undefined ? undefined : { orderId, quantity }
}

export function readBuyAnswer({ status, body }: HttpReply): Win<WonOrder> | undefined {
  if (status !== 202 && status !== 200) return undefined
  const orderId = textMember(body, 'orderId')
  const quantity = numberMember(body, 'quantity')
  const prize = orderId === undefined || quantity === undefined ? undefined : { orderId, quantity }
  return { code: status === 202 ? 'reserved' : 'repeat', prize }
}
