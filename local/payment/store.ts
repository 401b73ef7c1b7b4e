/**
 * The provider's payments, in memory: a restart loses them, and the shop opens them again when
 * asked.
 */
import type * as z from 'zod/mini'
import type { paymentFacts } from '../../core/payment-event.ts'

export type PaymentFacts = z.infer<typeof paymentFacts>

/** `until` is when the shop stops waiting for it, epoch ms. */
export type NewPayment = PaymentFacts & { until: number }

/** `open`: still undecided. `on-its-way`: the shopper paid, and the payment takes a while. */
export type ProviderPayment = NewPayment & { state: 'open' | 'on-its-way' | 'succeeded' | 'failed' }

export type PaymentStore = {
  /**
   * The payment of that id, opened if it is new; undefined when the id belongs to another payment.
   */
  open(payment: NewPayment): ProviderPayment | undefined
  /** The latest payment of an order. */
  newest(orderId: string): ProviderPayment | undefined
}

export function paymentStore(): PaymentStore {
  const payments = new Map<string, ProviderPayment>()
  const newestOf = new Map<string, ProviderPayment>()
  return {
    open(wanted) {
      const known = payments.get(wanted.paymentId)
      if (known !== undefined) return isSame(known, wanted) ? known : undefined
      const payment: ProviderPayment = { ...wanted, state: 'open' }
      payments.set(payment.paymentId, payment)
      newestOf.set(payment.orderId, payment)
      return payment
    },
    newest: (orderId) => newestOf.get(orderId),
  }
}

function isSame(known: ProviderPayment, { orderId, amount, currency }: NewPayment): boolean {
  return known.orderId === orderId && known.amount === amount && known.currency === currency
}
