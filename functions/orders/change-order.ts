/**
 * Applies an event to one written order, then runs its effects. The effects are recorded as due in
 * the same transaction as the step, so `reconcile` finishes them after a crash.
 */
import type { OrderId } from '../../core/ids.ts'
import { holdsUnits, type Order } from '../../core/orders/order.ts'
import { endedAttempt, type LifeEvent, type PaymentMoney } from '../../core/orders/order-life.ts'
import { isDisputed } from '../../core/orders/order-refunds.ts'
import { type PaymentRequest, requestOf } from '../lib/shop/payment-provider.ts'
import type { Shop, StorePorts } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'
import type { ProviderEvent } from '../table/orders/change-orders.ts'
import { deletePage, type Refund } from '../table/orders/due-money.ts'
import { askRefund, reportMismatch, reportOtherAmount, returnStrayMoney, strayRefundStep } from './refund.ts'
import { releaseOrLeaveDue } from './release.ts'
import { countEvent, countReturn, type StepPorts, type StepTaken, type StepTerms, stepOrder } from './step.ts'

export type ChangeOrderPorts = StepPorts & StorePorts & Pick<Shop, 'shopfront' | 'provider' | 'meter' | 'log'>

/**
 * `moved`: `released` is true when the step took the order's units, `refund` is money to send back. `same`: the event
 * changed nothing, or was a refund that does not match what is due. `repeat`: the provider's event was counted before.
 * `reused`: its id belongs to another event. `not-yet`: retry at `at` (epoch ms). `no-delivery`: the order lacks the
 * address that the step needs. `no-order`: the order is missing, and money that came for it is refunded.
 */
export type OrderChanged =
  | { kind: 'moved'; order: Order; released: boolean; refund?: PaymentMoney }
  | Exclude<StepTaken, { kind: 'moved' }>

/** How long to retry a busy table or order; the function has ten seconds. */
const patienceMs = 5000

/**
 * Applies `event` to the order. A repeat of the event, or of its delivery `providerEvent`, has no
 * second effect. Releases and refunds that fail stay due and do not throw.
 * @throws OrderBusy when it was not decided in time, or what an unavailable table throws; nothing
 *   is lost by retrying
 */
export async function changeOrder(
  ports: ChangeOrderPorts,
  orderId: OrderId,
  event: LifeEvent,
  providerEvent?: ProviderEvent,
): Promise<OrderChanged> {
  const terms = { providerEvent, deadline: ports.clock() + patienceMs }
  const taken = await stepOrder(ports, orderId, event, terms)
  if (taken.kind === 'no-order') return changeNoOrder(ports, orderId, event, terms)
  if ('mismatch' in taken && taken.mismatch) reportMismatch(ports, orderId, taken.mismatch)
  if (taken.kind === 'moved') return follow(ports, taken)
  if (taken.kind === 'same' && taken.before && event.kind === 'payment-succeeded') {
    reportOtherAmount(ports, orderId, taken.before, event)
  }
  return taken
}

/** Refunds money for an unknown order; the refund is due until all of it has gone back. */
async function changeNoOrder(
  ports: ChangeOrderPorts,
  orderId: OrderId,
  event: LifeEvent,
  terms: StepTerms,
): Promise<OrderChanged> {
  if (event.kind === 'refund-succeeded') {
    const { paymentId, amount, currency } = event
    const reported = { paymentId, amount, currency }
    const counted = await countReturn(ports, paymentId, (due) => strayRefundStep(due, reported), terms)
    if (counted.kind !== 'changed') return { kind: counted.kind }
    if (counted.step === undefined) {
      const left = { amount: counted.due?.amount ?? 0, currency: counted.due?.currency ?? currency }
      reportMismatch(ports, orderId, { reported, left })
    }
    return { kind: 'no-order' }
  }
  if (event.kind === 'refund-failed') {
    const { paymentId } = event
    const stopped = (due: Refund | undefined) =>
      due && { paymentId, seen: due.amount, left: due.amount, isStopped: true }
    const { kind } = await countReturn(ports, paymentId, stopped, terms)
    return { kind: kind === 'changed' ? 'no-order' : kind }
  }
  if (event.kind === 'payment-succeeded' && event.amount > 0) {
    const { kind: _, ...money } = event
    await returnStrayMoney(ports, { ...money, orderId, requestedAt: ports.clock() })
  }
  // Counted last: a counted event is never processed again.
  const { providerEvent } = terms
  const counted = providerEvent && (await countEvent(ports, providerEvent, terms.deadline))
  return counted === undefined || counted === 'changed' ? { kind: 'no-order' } : { kind: counted }
}

async function follow(
  ports: ChangeOrderPorts,
  { from, order, refund }: Extract<StepTaken, { kind: 'moved' }>,
): Promise<OrderChanged> {
  const { meter, log } = ports
  const { orderId, saleId, status } = order
  const isNew = status !== from.status
  if (isNew && status === 'cancelled') meter.count('OrdersCancelled')
  if (isNew && status === 'paid') meter.count('OrdersPaid')
  log.info('order changed', { orderId, status, what: order.history.at(-1)?.what })
  const page = endedAttempt(from, order)
  const released = holdsUnits(from.status) && !holdsUnits(status)
  await Promise.all([
    released && releaseOrLeaveDue(ports, saleId, [order]),
    refund && !isDisputed(order, refund.paymentId) && askRefund(ports, { ...refund, orderId }),
    page && closePage(ports, requestOf(from, page)),
  ])
  return { kind: 'moved', order, released, ...(refund && { refund }) }
}

/**
 * Closes a page that the shop no longer waits for; false when it stays due, and `reconcile` tries again. A page that
 * stays open authorises money that is released.
 */
export async function closePage(
  { table, provider, log }: Pick<ChangeOrderPorts, 'table' | 'provider' | 'log'>,
  page: PaymentRequest,
): Promise<boolean> {
  const { orderId, paymentId } = page
  try {
    await provider.withdraw(page)
    await deletePage(table, paymentId)
    return true
  } catch (error) {
    log.info('payment page not closed', { orderId, paymentId, ...errorFacts(error) })
    return false
  }
}
