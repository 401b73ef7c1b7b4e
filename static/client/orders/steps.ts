/** An order's way as steps a shopper can follow: what is done, where it stands, what comes. */
import type { OrderStatus } from '../../../core/order.ts'

type StepState = 'done' | 'now' | 'next' | 'failed'
export type Step = {
  key: 'order.step.reserved' | 'order.step.written' | 'order.step.payment' | 'order.step.refused'
  state: StepState
}

const steps: Record<OrderStatus, readonly Step[]> = {
  reserved: [
    { key: 'order.step.reserved', state: 'done' },
    { key: 'order.step.written', state: 'now' },
    { key: 'order.step.payment', state: 'next' },
  ],
  'awaiting-payment': [
    { key: 'order.step.reserved', state: 'done' },
    { key: 'order.step.written', state: 'done' },
    { key: 'order.step.payment', state: 'now' },
  ],
  rejected: [
    { key: 'order.step.reserved', state: 'done' },
    { key: 'order.step.refused', state: 'failed' },
  ],
}

export function stepsOf(status: OrderStatus): readonly Step[] {
  return steps[status]
}

/** Milliseconds until the next look at an order that is still being written: 1 s at first, then backing off to 10 s. */
export function nextOrderPollMs(attempt: number): number {
  return Math.min(10_000, Math.round(1000 * 1.4 ** Math.max(0, attempt - 3)))
}
