/** Handles a payment provider's reports about an order that does not exist, and refunds its money. */
import type { OrderId } from '../../core/ids.ts'
import type { LifeEvent } from '../../core/orders/order-life.ts'
import { TableUnavailable } from '../lib/group-commit.ts'
import { retry } from '../lib/retry.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { changeWrittenOrders, type ProviderEvent } from '../table/orders/change-orders.ts'
import { findRefund, type Refund, type RefundStep } from '../table/orders/due-money.ts'
import { refundUnknownOrder, reportMismatch, unknownRefundStep } from './refund.ts'

type UnknownOrderPorts = Pick<ShopContext, 'table' | 'clock' | 'sleep' | 'provider' | 'meter' | 'log'>

/** The step of the order also counts `providerEvent`. No transaction starts after `deadline` (epoch ms). */
export type ChangeTerms = { providerEvent?: ProviderEvent | undefined; deadline: number }

/**
 * Refunds money that was paid for the order. The refund stays due until all of it is returned. `repeat` and `reused` mean
 * that `providerEvent` was counted before.
 * @throws TableUnavailable after the deadline, or what an unavailable table throws
 */
export async function changeUnknownOrder(
  ports: UnknownOrderPorts,
  orderId: OrderId,
  event: LifeEvent,
  terms: ChangeTerms,
): Promise<{ kind: 'no-order' | 'repeat' | 'reused' }> {
  if (event.kind === 'refund-succeeded') {
    const { paymentId, amount, currency } = event
    const reported = { paymentId, amount, currency }
    const { kind, due, step } = await count(ports, terms, paymentId, (due) => unknownRefundStep(due, reported))
    if (kind === 'no-order' && step === undefined) {
      reportMismatch(ports, orderId, { reported, left: due ?? { amount: 0, currency } })
    }
    return { kind }
  }
  if (event.kind === 'refund-failed') {
    const { paymentId } = event
    const { kind } = await count(ports, terms, paymentId, ({ amount }) => {
      return { paymentId, seen: amount, left: amount, isStopped: true }
    })
    return { kind }
  }
  if (event.kind === 'payment-succeeded' && event.amount > 0) {
    const { kind: _, ...money } = event
    await refundUnknownOrder(ports, { ...money, orderId, requestedAt: ports.clock() })
  }
  // Counted last: a counted event is never processed again.
  const { kind } = await count(ports, terms)
  return { kind }
}

/** Counts the event, in one transaction with the step of the due refund of `paymentId`, if there is one. */
function count(
  { table, clock, sleep }: UnknownOrderPorts,
  { providerEvent, deadline }: ChangeTerms,
  paymentId?: string,
  stepOf: (due: Refund) => RefundStep | undefined = () => undefined,
): Promise<{ kind: 'no-order' | 'repeat' | 'reused'; due: Refund | undefined; step: RefundStep | undefined }> {
  return retry(async (tries) => {
    const due = paymentId === undefined ? undefined : await findRefund(table, paymentId)
    const step = due && stepOf(due)
    const { kind } = await changeWrittenOrders(table, [], providerEvent, step)
    if (kind === 'repeat' || kind === 'reused') return { kind, due, step }
    if (kind === 'changed') return { kind: 'no-order', due, step }
    if (clock() >= deadline) throw new TableUnavailable(`not counted in ${tries} tries`)
    return undefined
  }, sleep)
}
