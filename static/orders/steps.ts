/** An order's way: as steps that a shopper can follow, and its history in words. */
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

/** An order without payment ends with its codes, or with nothing to pay. */
const lastFreeStep = { coupons: 'order.step.codes', free: 'order.step.free' } as const

/** What is bought: `free` goods cost nothing. */
type Bought = 'paid' | keyof typeof lastFreeStep

/** `refund` is that of an order that was sent. */
export function stepsOf(status: OrderStatus, bought: Bought, refund?: OrderView['refund']): readonly Step[] {
  if (refund !== undefined) return [...steps[status].filter(({ state }) => state === 'done'), ...steps[refund].slice(1)]
  if (bought === 'paid') return steps[status]
  const key = lastFreeStep[bought]
  if (status === 'reserved') return [reserved, writing, { key, state: 'next' }]
  if (status === 'fulfilled') return [reserved, written, { key, state: 'done' }]
  return steps[status].map((step) => (step === paid && isShipped({ status }) ? written : step))
}

/** An order's history in words: what happened, and when. `at` is epoch ms. */
type TimelineItem = { at: number; key: OrdersKey }

/** The items, oldest first. It begins with the reservation, also while nothing but that is known. */
export function timelineOf({ reservedAt, history }: Pick<OrderView, 'reservedAt' | 'history'>): TimelineItem[] {
  const items = history.map((entry, at): TimelineItem => ({ at: entry.at, key: keyOf(entry, history[at - 1]) }))
  return history[0]?.status === 'reserved' ? items : [{ at: reservedAt, key: 'order.event.reserved' }, ...items]
}

/** A page may be older than the shop: what it has no words for is items by the status it led to. */
function keyOf({ what, status }: HistoryEntry, before: HistoryEntry | undefined): OrdersKey {
  if (before !== undefined && isShipped(before)) {
    if (what === 'shipped') return 'order.event.shipment-corrected'
    if (what === 'refunded-by-marketer') return 'order.event.refund-started'
  }
  return isHistoryWord(what) ? `order.event.${what}` : `order.status.${status}`
}
