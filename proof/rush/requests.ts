/** The requests of a rush: shoppers buy an order, or claim one red packet. */
import { type Packet, packetClaim } from '../../client/claim.ts'
import { parseBought, parseOrderList } from '../../client/purchase.ts'
import { isVariantId } from '../../core/sale/variants.ts'
import { type HttpClient, memberOf } from './http.ts'
import type { OpenSale } from './open-sale.ts'
import type { WinRequest } from './shopper.ts'
import type { VariantChoices } from './variants.ts'

/** The order in a 202 answer, or in a repeated 200. */
export type WonOrder = { orderId: string; quantity: number; variant?: string }

/** Returns the purchases of shoppers: each buys `quantity` units, or chooses among variants. */
export function purchasesOf(
  client: HttpClient,
  sale: OpenSale,
  quantity: number,
  choices?: VariantChoices,
): WinRequest<WonOrder> {
  const { saleId } = sale
  return {
    client,
    startToken: async () => sale.startToken,
    clickOf(shopper) {
      const { key, ...body } = choices?.of(shopper) ?? { quantity, key: shopper.key }
      return {
        ...{ saleId, path: `/api/sales/${saleId}/orders`, body, key, read: parseWonOrder },
        find: {
          path: (named) => named ?? `/api/orders?sale=${saleId}`,
          // Each shopper has at most one order, so its time does not matter.
          read: (found) => {
            const orders = parseOrderList(found)
            return orders === undefined ? 'unread' : orders.map(parseWonOrder).find((one) => one !== undefined)
          },
        },
      }
    },
    winCodeOf: ({ status }) => (status === 202 ? 'reserved' : status === 200 ? 'repeat' : undefined),
    ...(choices !== undefined && { chooseAgain: choices.chooseAgain }),
  }
}

/** Reads the order in `body`; undefined when it holds no units. */
function parseWonOrder(body: unknown): (WonOrder & { kind: 'won' }) | undefined {
  const bought = parseBought(body, false)
  const variant = memberOf(body, 'variant')
  return bought?.kind === 'won' ? { ...bought, ...(isVariantId(variant) && { variant }) } : undefined
}

/** The packet of a 200 answer; `amount` is in minor units. */
export type WonPacket = Omit<Packet, 'repeat'>

export function claimsOf(client: HttpClient, sale: OpenSale): WinRequest<WonPacket> {
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
