/**
 * The one door to an order that is written: takes the step an event asks for, then does what follows from it. What
 * follows is due in the table with the step itself, so wherever this is cut off, `reconcile` goes on.
 */
import type { OrderId } from '../../core/ids.ts'
import { holdsUnits, type Order } from '../../core/order.ts'
import type { LifeEvent, RefundWish } from '../../core/order-life.ts'
import type { ProviderEvent, Refunds } from './order-ledger.ts'
import { type AskRefundPorts, askRefund, returnStrayMoney, tellOtherAmount } from './refund.ts'
import { type ReleasePorts, releaseOrLeaveDue } from './release.ts'
import { countEvent, type StepPorts, type StepTaken, stepOrder } from './step.ts'

export type ChangeOrderPorts = StepPorts &
  ReleasePorts &
  AskRefundPorts & { refunds: Pick<Refunds, 'add' | 'done'> }

/**
 * `moved`: `released` is true when the step took the units from the order, `refund` is money that goes back. `same`:
 * the event meant nothing, or nothing new. `repeat`: the provider's event was counted before; `reused`: its id was
 * another event's. `not-yet`: to come again at `at` (epoch ms). `no-order`: what money came goes back.
 */
export type OrderChanged =
  | { kind: 'moved'; order: Order; released: boolean; refund?: RefundWish }
  | Exclude<StepTaken, { kind: 'moved' }>

/** How long a busy table or a busy order is tried, in a function that has ten seconds. */
const patienceMs = 5000

/**
 * What `event` did to the order. A repeat of an event, or of its delivery as `providerEvent`, has no second effect.
 * Throws OrderBusy when it could not be decided in time, and what a dark table throws; then nothing is lost by asking
 * again. Units and refunds that Redis or the provider could not be told of stay due and throw nothing.
 */
export async function changeOrder(
  ports: ChangeOrderPorts,
  orderId: OrderId,
  event: LifeEvent,
  providerEvent?: ProviderEvent,
): Promise<OrderChanged> {
  const deadline = ports.clock() + patienceMs
  const taken = await stepOrder(ports, orderId, event, providerEvent, deadline)
  // Also on a repeat: the first delivery may have been cut off here.
  if (event.kind === 'refund-succeeded' && taken.kind !== 'reused') await ports.refunds.done(event.paymentId)
  if (taken.kind === 'moved') return follow(ports, taken)
  if (taken.kind === 'same' && event.kind === 'payment-succeeded') await compareMoney(ports, taken, event)
  if (taken.kind !== 'no-order') return taken
  if (event.kind === 'payment-succeeded') {
    const { paymentId, amount, currency } = event
    await returnStrayMoney(ports, { orderId, paymentId, amount, currency, requestedAt: ports.clock() })
  }
  // Counted last: an event that is counted is never acted on again.
  const counted = providerEvent && (await countEvent(ports, providerEvent, deadline))
  return counted === undefined || counted === 'changed' ? taken : { kind: counted }
}

/** What an order keeps of money that went back is the payment's id; its refund knows how much it was. */
async function compareMoney(
  ports: ChangeOrderPorts,
  { order, before }: Extract<StepTaken, { kind: 'same' }>,
  { paymentId, amount, currency }: Extract<LifeEvent, { kind: 'payment-succeeded' }>,
): Promise<void> {
  const { orderId, refunds } = order
  const money = { paymentId, amount, currency }
  const wentBack = refunds?.includes(paymentId) === true
  const counted =
    before ?? (wentBack && (await ports.refunds.add({ ...money, orderId, requestedAt: ports.clock() })))
  if (counted) tellOtherAmount(ports, orderId, counted, money)
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
  const released = holdsUnits(from.status) && !holdsUnits(status)
  await Promise.all([
    released && releaseOrLeaveDue(ports, saleId, [order]),
    refund && askRefund(ports, { ...refund, orderId }),
  ])
  return { kind: 'moved', order, released, ...(refund && { refund }) }
}
