/** The facts of an email to a shopper about an order, a credit or a sale, and its unsubscribe link. */
import type { OrderId, SaleId, ShopperId } from '../ids.ts'
import type { Money } from '../money.ts'
import type { optionMailKinds } from '../options.ts'
import type { OrderReason } from '../orders/order.ts'
import type { OrderNumber } from '../orders/order-number.ts'
import type { Shipment } from '../orders/shipment.ts'

/** Emails about orders. They are part of the contract, so unsubscribed shoppers get them too. */
export type OrderMailKind = 'confirmed' | 'payment-due' | 'cancelled' | 'refunded' | 'shipped'
type OptionMailKind = (typeof optionMailKinds)[number]
export type MailKind = OrderMailKind | 'packet-credited' | OptionMailKind

/** `variant` is set in a sale with variants. `amount` includes `deliveryCost`. */
type OrderFacts = Money & {
  saleId: SaleId
  shopperId: ShopperId
  orderId: OrderId
  orderNumber?: OrderNumber
  quantity: number
  variant?: string
  deliveryCost?: number
}

/**
 * `hasCodes`: the order is of coupons. `payBy` is epoch ms. `isRefundDue`: the shopper has paid, and the refund is under
 * way. `returned` has the amount refunded so far in each currency.
 */
export type OrderMail = OrderFacts &
  (
    | { kind: 'confirmed'; hasCodes: boolean }
    | { kind: 'payment-due'; payBy: number }
    | { kind: 'cancelled'; reason: OrderReason | undefined; isRefundDue: boolean }
    | { kind: 'refunded'; returned: readonly Money[] }
    | { kind: 'shipped'; shipment: Shipment | undefined }
  )

export type CreditMail = Money & { kind: 'packet-credited'; saleId: SaleId; shopperId: ShopperId; packet: number }

/** An email of an option is about a sale. */
export type OptionMail = { kind: OptionMailKind; saleId: SaleId; shopperId: ShopperId }

export type MailFacts = OrderMail | CreditMail

/** The link in an email that unsubscribes from emails that are not about orders. The token identifies the shopper. */
export const unsubscribeRoute = '/api/unsubscribe'

export function unsubscribePath(token: string): string {
  return `${unsubscribeRoute}?token=${encodeURIComponent(token)}`
}
