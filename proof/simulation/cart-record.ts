/** The carts of a shop whose customers pay there: what the shop has the money for, and what it was answered. */
import { type OrderId, parseOrderId } from '../../core/ids.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import { member } from './client.ts'

/** `orderId` is the order that a confirmation was answered with; `isReleased` once the shop was answered so. */
export type Cart = { reference: string; orderId?: OrderId; isReleased?: boolean }

export type CartRecord = {
  /** By the order of the reservation that the shop received. */
  carts: ReadonlyMap<OrderId, Cart>
  /** The shop has received the reservation of an order; again finds its cart. */
  open: (orderId: OrderId) => Cart
  /** Records an answer to a confirmation, also one that the shop never got. */
  confirmed: (cart: Cart, answer: HttpAnswer) => void
}

export function openCartRecord(violated: (what: string) => void): CartRecord {
  const carts = new Map<OrderId, Cart>()
  return {
    carts,
    open(orderId) {
      const cart = carts.get(orderId) ?? { reference: `cart ${orderId}` }
      carts.set(orderId, cart)
      return cart
    },
    confirmed(cart, answer) {
      if (answer.statusCode !== 200) return
      const orderId = parseOrderId(member(answer, 'orderId'))
      if (orderId === undefined) return violated('a confirmation was answered without an order id')
      const before = cart.orderId ?? orderId
      if (before !== orderId) violated(`${cart.reference} has ${before} and then ${orderId} (I5)`)
      if (member(answer, 'reference') !== cart.reference)
        violated(`${orderId} was confirmed for ${member(answer, 'reference')}, not ${cart.reference} (I5)`)
      cart.orderId = orderId
    },
  }
}
