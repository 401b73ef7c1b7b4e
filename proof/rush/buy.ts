/** The buy requests of a rush for goods or coupons: one order per shopper. */
import { holdsUnits, orderStatuses } from '../../core/orders/order.ts'
import { type Basket, isBasket } from '../../core/sale/variants.ts'
import { type HttpClient, type HttpReply, memberOf, numberMember, textMember } from './http.ts'
import type { OpenSale } from './open-sale.ts'
import type { PrizeRequest, VirtualShopper, Win } from './shopper.ts'
import type { Choices } from './variants.ts'

/** The order in a 202 answer, or in the 200 that repeats it. */
export type WonOrder = { orderId: string; quantity: number; basket?: Basket }

/** Each shopper asks for `quantity` units, or makes their own choice among variants. */
export function buyRequest(
  client: HttpClient,
  { saleId, startToken }: OpenSale,
  quantity: number,
  choices?: Choices,
): PrizeRequest<WonOrder> {
  const path = `/api/sales/${saleId}/orders`
  const asked = (shopper: VirtualShopper) => choices?.of(shopper) ?? { quantity, key: shopper.key }
  return {
    send: (shopper) => {
      const { key, ...units } = asked(shopper)
      return client.post(path, shopper, { ...units, startToken }, key)
    },
    ...(choices !== undefined && { chooseAgain: choices.chooseAgain }),
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
  return orderIn(found)
}

function orderIn(body: unknown): WonOrder | undefined {
  const [orderId, quantity, basket] = [
    textMember(body, 'orderId'),
    numberMember(body, 'quantity'),
    memberOf(body, 'basket'),
  ]
  if (orderId === undefined || quantity === undefined) return undefined
  return { orderId, quantity, ...(isBasket(basket) && { basket }) }
}

export function readBuyAnswer({ status, body }: HttpReply): Win<WonOrder> | undefined {
  if (status !== 202 && status !== 200) return undefined
  return { code: status === 202 ? 'reserved' : 'repeat', prize: orderIn(body) }
}
