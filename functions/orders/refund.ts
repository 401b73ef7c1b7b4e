/** Requests refunds from the provider. The table records a refund as due before the request and until its confirmation. */
import type { PaymentMoney, RefundMismatch } from '../../core/orders/order-life.ts'
import type { ShopContext, Table } from '../lib/shop/shop.ts'
import { errorFacts, type Telemetry } from '../lib/telemetry.ts'
import { addRefund, findRefund, type Refund, type RefundStep } from '../table/orders/due-money.ts'

/** Resolves with true when the provider accepts the request. After a failure it stays due, and `reconcile` retries it. */
export async function requestRefund(
  { provider, meter, log }: Pick<ShopContext, 'provider' | 'meter' | 'log'>,
  refund: PaymentMoney & { orderId: string; requestedAt?: number },
): Promise<boolean> {
  try {
    await provider.refund(refund)
    meter.count('RefundsAsked')
    return true
  } catch (error) {
    meter.count('RefundFailed')
    const { orderId, paymentId } = refund
    log.warn('refund not yet asked for', { orderId, paymentId, ...errorFacts(error) })
    return false
  }
}

/** Refunds money that was paid for an unknown order. @throws when the table cannot record it as due */
export async function refundUnknownOrder(
  ports: Pick<ShopContext, 'provider' | 'meter' | 'log'> & { table: Table },
  refund: Refund,
): Promise<void> {
  const { orderId, paymentId } = refund
  const stored = await addRefund(ports.table, refund)
  ports.log.error('money came for an order that does not exist', { orderId, paymentId })
  reportAmountMismatch(ports, orderId, stored, refund)
  const due = await findRefund(ports.table, paymentId)
  if (due !== undefined) await requestRefund(ports, due)
}

/** Returns the step that a reported refund causes in `due`; undefined when it cannot be a part of it. */
export function unknownRefundStep(due: Refund, { paymentId, amount, currency }: PaymentMoney): RefundStep | undefined {
  if (amount === 0 || amount > due.amount || currency !== due.currency) return undefined
  return { paymentId, seen: due.amount, left: due.amount - amount }
}

/** Reports a payment whose amount differs from `before`; the code cannot know which amount is right. */
export function reportAmountMismatch(
  { meter, log }: Telemetry,
  orderId: string,
  before: PaymentMoney,
  { paymentId, amount, currency }: PaymentMoney,
): void {
  if (amount === before.amount && currency === before.currency) return
  meter.count('MoneyContradicted')
  const counted = `${before.amount} ${before.currency}`
  log.error('one payment, two amounts', { orderId, paymentId, counted, reported: `${amount} ${currency}` })
}

/** Reports a refund that does not match what is left of its payment. It is not counted; an operator must act. */
export function reportMismatch({ meter, log }: Telemetry, orderId: string, { reported, left }: RefundMismatch): void {
  meter.count('RefundMismatch')
  log.error('a refund does not match its payment', {
    orderId,
    paymentId: reported.paymentId,
    reported: `${reported.amount} ${reported.currency}`,
    left: `${left.amount} ${left.currency}`,
  })
}
