/** The facts of an e-mail to a shopper: about an order, a credit, or what an option sends about a sale; and its link. */
import type { OrderId, SaleId, ShopperId } from '../ids.ts'
import type { Money } from '../money.ts'
import type { optionMailKinds } from '../options.ts'
import type { OrderReason } from '../orders/order.ts'
import type { OrderNumber } from '../orders/order-number.ts'
import type { Shipment } from '../orders/shipment.ts'

/** The e-mails about orders. They are part of the contract, so they are sent to unsubscribed shoppers too. */
export type OrderMailKind = 'confirmed' | 'payment-due' | 'cancelled' | 'refunded' | 'shipped'
type OptionMailKind = (typeof optionMailKinds)[number]
export type MailKind = OrderMailKind | 'packet-credited' | OptionMailKind

/** `variant` says which they are, in a sale with variants. `deliveryCost` is a part of the amount. */
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
 * `hasCodes`: the order is of coupons. `payBy` is epoch ms. `isRefundDue`: the shopper has paid, and the
 * money is on its way back. `returned` is what has gone back so far, an entry for each currency.
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

/** An e-mail of an option is about a sale. */
export type OptionMail = { kind: OptionMailKind; saleId: SaleId; shopperId: ShopperId }

export type MailFacts = OrderMail | CreditMail

/** Where a link of an e-mail ends the e-mails that are not about an order; `token` says for whom. */
export const unsubscribeRoute = '/api/unsubscribe'

export function unsubscribePath(token: string): string {
  return `${unsubscribeRoute}?token=${encodeURIComponent(token)}`
}
