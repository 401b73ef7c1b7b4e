/** A step of an order with optimistic locking: a changed one is decided again, and a busy table is retried. */
import type { OrderId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import {
  advance,
  type LifeEvent,
  type LifeStep,
  type PaymentMoney,
  type RefundMismatch,
} from '../../core/orders/order-life.ts'
import type { RedemptionFault } from '../../core/orders/redemption.ts'
import { retry } from '../lib/retry.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { changeWrittenOrders, type OrderChange, type ProviderEvent } from '../table/orders/change-orders.ts'
import type { RefundStep } from '../table/orders/due-money.ts'
import { findRefund, type Refund } from '../table/orders/due-money.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'

export type StepPorts = Pick<Shop, 'table' | 'clock' | 'sleep'>

/**
 * `repeat`: the provider's event was counted before. `reused`: its id belongs to another event. `no-delivery`: the
 * order lacks the address that the step needs. The others are those of `Step`, with the order as it is now.
 */
export type StepTaken =
  | { kind: 'moved'; from: Order; order: Order; refund?: PaymentMoney; mismatch?: RefundMismatch }
  | { kind: 'same'; order: Order; before?: PaymentMoney; mismatch?: RefundMismatch }
  | { kind: 'too-late'; order: Order }
  | { kind: 'refused'; order: Order; fault?: RedemptionFault }
  | { kind: 'not-yet'; at: number; order: Order }
  | { kind: 'repeat' | 'reused' | 'no-delivery' | 'no-order' }

/** The order was not changed in time: the table was busy, or others won each time. Nothing was written. */
class OrderBusy extends Error {
  override name = 'OrderBusy'
}

/** `providerEvent` is counted with the step; a busy order is tried until `deadline` (epoch ms). */
export type StepTerms = { providerEvent?: ProviderEvent | undefined; deadline: number }

/**
 * Takes the step for `event` and counts `providerEvent` with it, also when the order stays the
 * same. Counts nothing for a missing order.
 * @throws OrderBusy after `deadline`, or what an unavailable table throws
 */
export function stepOrder(
  ports: StepPorts,
  orderId: OrderId,
  event: LifeEvent,
  { providerEvent, deadline }: StepTerms,
): Promise<StepTaken> {
  const { table, clock } = ports
  return untilAnswered<StepTaken>(ports, deadline, async () => {
    const order = await findWrittenOrder(table, orderId)
    if (order === undefined) return { kind: 'no-order' }
    const step = advance(order, event, clock())
    const changes = step.kind === 'moved' ? [changeOf(order, step)] : []
    const isNothing = changes.length === 0 && providerEvent === undefined
    const answer = isNothing ? 'changed' : await change(table, changes, providerEvent)
    if (answer !== 'changed') return answer && { kind: answer }
    return step.kind === 'moved' ? { ...step, from: order } : { ...step, order }
  })
}

/** Counts an event without an order. @throws as `stepOrder` does */
export function countEvent(ports: StepPorts, providerEvent: ProviderEvent, deadline: number): Promise<Answer> {
  return untilAnswered(ports, deadline, () => change(ports.table, [], providerEvent))
}

/** Counts a refund event of an unknown order by `stepOf`, again while others change it. @throws as `stepOrder` */
export function countReturn(
  ports: StepPorts,
  paymentId: string,
  stepOf: (due: Refund | undefined) => RefundStep | undefined,
  { providerEvent, deadline }: StepTerms,
): Promise<{ kind: Answer; due: Refund | undefined; step: RefundStep | undefined }> {
  return untilAnswered(ports, deadline, async () => {
    const due = await findRefund(ports.table, paymentId)
    const step = stepOf(due)
    const kind = await change(ports.table, [], providerEvent, step)
    return kind && { kind, due, step }
  })
}

function changeOf(from: Order, step: Extract<LifeStep, { kind: 'moved' }>): OrderChange {
  const { order: to, refund, needsDelivery } = step
  return { from, to, ...(refund && { refund }), ...(needsDelivery && { needsDelivery }) }
}

type Answer = 'changed' | 'repeat' | 'reused' | 'no-delivery'

/** Undefined when the table must be asked again. */
async function change(
  table: Shop['table'],
  changes: readonly OrderChange[],
  providerEvent: ProviderEvent | undefined,
  refund?: RefundStep,
): Promise<Answer | undefined> {
  const { kind } = await changeWrittenOrders(table, changes, providerEvent, refund)
  return kind === 'busy' || kind === 'stale' ? undefined : kind
}

function untilAnswered<T>(
  { clock, sleep }: Pick<Shop, 'clock' | 'sleep'>,
  deadline: number,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  return retry(async (tries) => {
    const answer = await ask()
    if (answer === undefined && clock() >= deadline) throw new OrderBusy(`not changed in ${tries} tries`)
    return answer
  }, sleep)
}
