/** What the shoppers of a rush ask for until it is theirs: an order, or one red packet. */
import { type Packet, packetClaim } from '../../client/claim.ts'
import { parseBought, parseOrderList } from '../../client/purchase.ts'
import { isVariantId } from '../../core/sale/variants.ts'
import { type HttpClient, memberOf } from './http.ts'
import type { OpenSale } from './open-sale.ts'
import type { PrizeRequest } from './shopper.ts'
import type { Choices } from './variants.ts'

/** The order in a 202 answer, or in the 200 that repeats it. */
export type WonOrder = { orderId: string; quantity: number; variant?: string }

/** Each shopper asks for `quantity` units, or makes their own choice among variants. */
export function purchasesOf(
  client: HttpClient,
  sale: OpenSale,
  quantity: number,
  choices?: Choices,
): PrizeRequest<WonOrder> {
  const { saleId } = sale
  return {
    client,
    startToken: async () => sale.startToken,
    clickOf(shopper) {
      const { key, ...body } = choices?.of(shopper) ?? { quantity, key: shopper.key }
      return {
        ...{ saleId, path: `/api/sales/${saleId}/orders`, body, key, read: wonOrderIn },
        find: {
          path: (named) => named ?? `/api/orders?sale=${saleId}`,
          // Each shopper has at most one, so the time of an order says nothing more.
          read: (found) => {
            const orders = parseOrderList(found)
            return orders === undefined ? 'unread' : orders.map(wonOrderIn).find((one) => one !== undefined)
          },
        },
      }
    },
    winCodeOf: ({ status }) => (status === 202 ? 'reserved' : status === 200 ? 'repeat' : undefined),
    ...(choices !== undefined && { chooseAgain: choices.chooseAgain }),
  }
}

/** The order in `body`, as long as it holds its units. */
function wonOrderIn(body: unknown): (WonOrder & { kind: 'won' }) | undefined {
  const bought = parseBought(body, false)
  const variant = memberOf(body, 'variant')
  return bought?.kind === 'won' ? { ...bought, ...(isVariantId(variant) && { variant }) } : undefined
}

/** The packet in a 200 answer; `amount` is in minor units. */
export type WonPacket = Omit<Packet, 'repeat'>

export function claimsOf(client: HttpClient, sale: OpenSale): PrizeRequest<WonPacket> {
  return {
    client,
    startToken: async () => sale.startToken,
    clickOf: ({ key }) => ({ ...packetClaim(sale.saleId), key }),
    winCodeOf({ status, body }) {
      if (status !== 200) return undefined
      return memberOf(body, 'repeat') === true ? 'repeat' : 'claimed'
    },
  }
}
