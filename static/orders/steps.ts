/** Derives the steps and the timeline of an order. */
import type { OrderView } from '../../core/api/shop.ts'
import { type HistoryEntry, isHistoryWord, isShipped, type OrderStatus } from '../../core/orders/order.ts'
import type { OrdersKey } from './order-headline.ts'

/** `ended`: the order ended here, and nothing failed. */
type StepState = 'done' | 'now' | 'next' | 'ended' | 'failed'
export type Step = { key: OrdersKey; state: StepState }

const reserved: Step = { key: 'order.step.reserved', state: 'done' }
const written: Step = { key: 'order.step.written', state: 'done' }
const paid: Step = { key: 'order.step.paid', state: 'done' }

const writing: Step = { key: 'order.step.written', state: 'now' }

const steps: Record<OrderStatus, readonly Step[]> = {
  reserved: [reserved, writing, { key: 'order.step.payment', state: 'next' }],
  'awaiting-payment': [reserved, written, { key: 'order.step.payment', state: 'now' }],
  paid: [reserved, written, paid],
  fulfilled: [reserved, written, { key: 'order.step.free', state: 'done' }],
  cancelled: [reserved, written, { key: 'order.step.cancelled', state: 'ended' }],
  rejected: [reserved, { key: 'order.step.refused', state: 'failed' }],
  'refund-due': [paid, { key: 'order.step.refund', state: 'now' }, { key: 'order.step.refunded', state: 'next' }],
  refunded: [paid, { key: 'order.step.refund', state: 'done' }, { key: 'order.step.refunded', state: 'done' }],
  shipped: [paid, ...sent('next')],
  delivered: [paid, ...sent('done')],
}

function sent(delivered: StepState): Step[] {
  return [
    { key: 'order.step.shipped', state: 'done' },
    { key: 'order.step.delivered', state: delivered },
  ]
}

/** The last step of an order without payment. */
const lastFreeStep = { coupons: 'order.step.codes', free: 'order.step.free' } as const

/** `free`: goods without a price. */
type OrderKind = 'paid' | keyof typeof lastFreeStep

/** Returns the steps of an order. `refund` is the state of a refund after the shipment. */
export function stepsOf(status: OrderStatus, kind: OrderKind, refund?: OrderView['refund']): readonly Step[] {
  if (refund !== undefined) return [...steps[status].filter(({ state }) => state === 'done'), ...steps[refund].slice(1)]
  if (kind === 'paid') return steps[status]
  const key = lastFreeStep[kind]
  if (status === 'reserved') return [reserved, writing, { key, state: 'next' }]
  if (status === 'fulfilled') return [reserved, written, { key, state: 'done' }]
  return steps[status].map((step) => (step === paid && isShipped({ status }) ? written : step))
}

/** A line of the timeline. `at` is epoch ms. */
type TimelineItem = { at: number; key: OrdersKey }

/** Returns the timeline, oldest first. It starts with the reservation even if the history is empty. */
export function timelineOf({ reservedAt, history }: Pick<OrderView, 'reservedAt' | 'history'>): TimelineItem[] {
  const items = history.map((entry, at): TimelineItem => ({ at: entry.at, key: keyOf(entry, history[at - 1]) }))
  return history[0]?.status === 'reserved' ? items : [{ at: reservedAt, key: 'order.event.reserved' }, ...items]
}

/** Returns the key of an entry. A step that is newer than this page is named by its status. */
function keyOf({ what, status }: HistoryEntry, before: HistoryEntry | undefined): OrdersKey {
  if (before !== undefined && isShipped(before)) {
    if (what === 'shipped') return 'order.event.shipment-corrected'
    if (what === 'refunded-by-marketer') return 'order.event.refund-started'
  }
  return isHistoryWord(what) ? `order.event.${what}` : `order.status.${status}`
}
