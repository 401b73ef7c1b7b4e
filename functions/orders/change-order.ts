/**
 * The one door to an order that is written: takes the step an event asks for, then does what follows from it. What
 * follows is due in the table with the step itself, so wherever this is cut off, `reconcile` goes on.
 */
import type { OrderId } from '../../core/ids.ts'
import { holdsUnits, type Order } from '../../core/order.ts'
import type { LifeEvent, RefundWish } from '../../core/order-life.ts'
import type { ProviderEvent, Refunds } from './order-ledger.ts'
import {
  type AskRefundPorts,
  askRefund,
  reportMismatch,
  reportOtherAmount,
  returnStrayMoney,
  strayRefundStep,
} from './refund.ts'
import { type ReleasePorts, releaseOrLeaveDue } from './release.ts'
import { countEvent, countReturn, type StepPorts, type StepTaken, stepOrder } from './step.ts'

export type ChangeOrderPorts = StepPorts &
  ReleasePorts &
  AskRefundPorts & { refunds: Pick<Refunds, 'add' | 'find'> }

/**
 * `moved`: `released` is true when the step took the units from the order, `refund` is money that goes back. `same`:
 * the event meant nothing, or nothing new, or was a refund that does not match what is due. `repeat`: the provider's event was counted before; `reused`: its id was
 * another event's. `not-yet`: to come again at `at` (epoch ms). `no-order`: what money came goes back.
 */
export type OrderChanged =
  | { kind: 'moved'; order: Order; released: boolean; refund?: RefundWish }
  | Exclude<StepTaken, { kind: 'moved' }>

/** How long a busy table or a busy order is tried, in a function that has ten seconds. */
const patienceMs = 5000

/**
 * Applies `event` to the order. A repeat of the event, or of its delivery as `providerEvent`, has
 * no second effect. Releases and refunds that fail stay due and throw nothing.
 *
 * @throws OrderBusy when it could not be decided in time, and the table's errors; the call may be
 * repeated
 */
export async function changeOrder(
  ports: ChangeOrderPorts,
  orderId: OrderId,
  event: LifeEvent,
  providerEvent?: ProviderEvent,
): Promise<OrderChanged> {
  const deadline = ports.clock() + patienceMs
  const taken = await stepOrder(ports, orderId, event, providerEvent, deadline)
  if (taken.kind === 'no-order') return changeNoOrder(ports, orderId, event, providerEvent, deadline)
  if ('mismatch' in taken && taken.mismatch) reportMismatch(ports, orderId, taken.mismatch)
  if (taken.kind === 'moved') return follow(ports, taken)
  if (taken.kind === 'same' && taken.before && event.kind === 'payment-succeeded') {
    reportOtherAmount(ports, orderId, taken.before, event)
  }
  return taken
}

/** Money that no order is found for goes back all the same, and is due until all of it has gone. */
async function changeNoOrder(
  ports: ChangeOrderPorts,
  orderId: OrderId,
  event: LifeEvent,
  providerEvent: ProviderEvent | undefined,
  deadline: number,
): Promise<OrderChanged> {
  if (event.kind === 'refund-succeeded') {
    const { paymentId, amount, currency } = event
    const reported = { paymentId, amount, currency }
    const counted = await countReturn(
      ports,
      paymentId,
      (due) => strayRefundStep(due, reported),
      providerEvent,
      deadline,
    )
    if (counted.kind !== 'changed') return { kind: counted.kind }
    if (counted.step === undefined) {
      const left = { amount: counted.due?.amount ?? 0, currency: counted.due?.currency ?? currency }
      reportMismatch(ports, orderId, { reported, left })
    }
    return { kind: 'no-order' }
  }
  if (event.kind === 'payment-succeeded' && event.amount > 0) {
    const { paymentId, amount, currency } = event
    await returnStrayMoney(ports, { orderId, paymentId, amount, currency, requestedAt: ports.clock() })
  }
  // Counted last: an event that is counted is never acted on again.
  const counted = providerEvent && (await countEvent(ports, providerEvent, deadline))
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
  const released = holdsUnits(from.status) && !holdsUnits(status)
  await Promise.all([
    released && releaseOrLeaveDue(ports, saleId, [order]),
    refund && askRefund(ports, { ...refund, orderId }),
  ])
  return { kind: 'moved', order, released, ...(refund && { refund }) }
}
