/** The facts of an e-mail to a shopper: of an order, a credit, a sale, returned units or a drawn unit. */
import type { OrderId, SaleId, ShopperId } from '../ids.ts'
import type { Money } from '../money.ts'
import type { OrderReason } from '../orders/order.ts'
import type { OrderNumber } from '../orders/order-number.ts'
import type { Shipment } from '../orders/shipment.ts'

/** The e-mails about orders. They are part of the contract, so they are sent to unsubscribed shoppers too. */
export type OrderMailKind = 'confirmed' | 'payment-due' | 'cancelled' | 'refunded' | 'shipped'
export type MailKind = OrderMailKind | 'packet-credited' | 'reminder' | 'units-back' | 'unit-offered'

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

/** `startsAt` is epoch ms; `isOpen`: the sale has begun when the e-mail is written. */
export type ReminderMail = { kind: 'reminder'; saleId: SaleId; shopperId: ShopperId; startsAt: number; isOpen: boolean }

/** `handedAt` (epoch ms) is when units were seen. */
export type UnitsBackMail = { kind: 'units-back'; saleId: SaleId; shopperId: ShopperId; handedAt: number }

/** The offer of a draw is kept until `until` (epoch ms), of a unit of `variant` in a sale that has some. */
export type OfferMail = {
  kind: 'unit-offered'
  saleId: SaleId
  shopperId: ShopperId
  variant?: string | undefined
  until: number
}

export type MailFacts = OrderMail | CreditMail | ReminderMail | UnitsBackMail | OfferMail

/** The subjects of reminders: the start of a window, or units of it that come back. */
export const reminderSubjects = ['start', 'return'] as const
export type ReminderSubject = (typeof reminderSubjects)[number]

/** The fragments of the links in reminders. A fragment stays in the browser, so the page reports that the link was followed. */
export const openedMarks = { start: '#reminded', return: '#back' } as const satisfies Record<ReminderSubject, string>
