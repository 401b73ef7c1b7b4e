/**
 * The provider's payments, in memory: a restart loses them, and the shop opens them again when
 * asked. Money is authorised by the shopper, then captured or released by the shop.
 */
import type * as z from 'zod/mini'
import type { paymentFacts } from '../../core/payment-event.ts'
import type { AuthorisationEnd } from '../../functions/payments/payment-provider.ts'

/** The shopper's choices. */
export const choices = ['pay', 'fail', 'later'] as const
export type PaymentChoice = (typeof choices)[number]

export type PaymentFacts = z.infer<typeof paymentFacts>

/**
 * `until` is when the shop stops waiting for it, epoch ms; `returnUrl` is where the shopper goes
 * afterwards. `amount` is in minor units by ISO 4217.
 */
export type NewPayment = PaymentFacts & { until: number; returnUrl: string }

/**
 * `open`: still undecided. `on-its-way`: the shopper paid, and the payment takes a while. `refunded`
 * is what went back of captured money.
 */
export type ProviderPayment = NewPayment & {
  state: 'open' | 'on-its-way' | 'authorised' | 'captured' | 'released' | 'failed'
  refunded: number
}

/** What happened to a payment, to be reported to the shop. */
export type Report =
  | {
      what: 'authorised' | 'captured' | 'released' | 'failed' | 'expired' | 'disputed'
      payment: ProviderPayment
    }
  | { what: 'refunded'; payment: ProviderPayment; refundId: string; amount: number }

export type Book = {
  /**
   * The payment of that id, opened if it is new; undefined when the id belongs to another payment.
   */
  open(payment: NewPayment): ProviderPayment | undefined
  find(paymentId: string): ProviderPayment | undefined
  /** The latest payment of an order. */
  newest(orderId: string): ProviderPayment | undefined
  /** True when the decision counts: the payment was open, and the shop was still waiting for it. */
  decide(payment: ProviderPayment, choice: PaymentChoice): boolean
  /** Takes or gives up authorised money; answers with what became of it, once and for all. */
  settle(payment: ProviderPayment, wanted: AuthorisationEnd): AuthorisationEnd
  /** It cannot be paid any more, unless it was paid. */
  expire(payment: ProviderPayment): void
  /** Sends captured money back; false when that is more than is left. */
  refund(payment: ProviderPayment, refundId: string, amount: number): boolean
  dispute(payment: ProviderPayment): void
}

export type BookPorts = {
  clock: () => number
  after: (milliseconds: number, task: () => void) => void
  report: (report: Report) => void
  /** A declined payment is over; otherwise the shopper may try again on the same page. */
  declineEnds: boolean
  /** How long a late payment takes. */
  laterMs: number
}

export function paymentBook({ clock, after, report, declineEnds, laterMs }: BookPorts): Book {
  const payments = new Map<string, ProviderPayment>()
  const newestOf = new Map<string, ProviderPayment>()

  function move(payment: ProviderPayment, state: 'authorised' | 'captured' | 'released' | 'failed'): void {
    payment.state = state
    report({ what: state, payment })
  }

  return {
    open(wanted) {
      const known = payments.get(wanted.paymentId)
      if (known !== undefined) return isSame(known, wanted) ? known : undefined
      const payment: ProviderPayment = { ...wanted, state: 'open', refunded: 0 }
      payments.set(payment.paymentId, payment)
      newestOf.set(payment.orderId, payment)
      return payment
    },
    find: (paymentId) => payments.get(paymentId),
    newest: (orderId) => newestOf.get(orderId),
    decide(payment, choice) {
      if (payment.state !== 'open' || clock() >= payment.until) return false
      if (choice === 'later') {
        payment.state = 'on-its-way'
        after(laterMs, () => move(payment, 'authorised'))
      } else if (choice === 'fail' && !declineEnds) report({ what: 'failed', payment })
      else move(payment, choice === 'pay' ? 'authorised' : 'failed')
      return true
    },
    settle(payment, wanted) {
      if (payment.state === 'authorised') move(payment, wanted)
      return payment.state === 'captured' ? 'captured' : 'released'
    },
    expire(payment) {
      if (payment.state !== 'open') return
      payment.state = 'failed'
      report({ what: 'expired', payment })
    },
    refund(payment, refundId, amount) {
      if (payment.state !== 'captured' || payment.refunded + amount > payment.amount) return false
      payment.refunded += amount
      report({ what: 'refunded', payment, refundId, amount })
      return true
    },
    dispute: (payment) => report({ what: 'disputed', payment }),
  }
}

function isSame(known: ProviderPayment, { orderId, amount, currency }: NewPayment): boolean {
  return known.orderId === orderId && known.amount === amount && known.currency === currency
}
