/**
 * When a page polls orders: often while the shopper waits for the next step, less often the longer
 * nothing changes, and not at all in a final state. The page of an order polls for what it awaits only
 * where the shop holds no request (client/held-wait.ts).
 */
import type { OrderStage } from './order-stage.ts'

type Pace = { fromMs: number; toMs: number }

/** An order is written within about three seconds: mostly the second look finds it. */
const writing: Pace = { fromMs: 2500, toMs: 10_000 }
const confirming: Pace = { fromMs: 2000, toMs: 10_000 }
/** Its page looks at once when the shopper comes back from paying, and when the time is over. */
const awaitingPayment: Pace = { fromMs: 20_000, toMs: 60_000 }
/** A payment of a cancelled order mostly never comes; a shopper who waits for its refund must see it all the same. */
const cancelledPaying: Pace = { fromMs: 5000, toMs: 60_000 }
const refunding: Pace = { fromMs: 3000, toMs: 30_000 }

const paces: Partial<Record<OrderStage, Pace>> = {
  reserved: writing,
  'to-pay': awaitingPayment,
  'pay-again': awaitingPayment,
  paying: confirming,
  overtime: confirming,
  checking: confirming,
  late: confirming,
  'cancelled-paying': cancelledPaying,
  'refund-due': refunding,
}

/** True when the shop or the payment provider has the next step, and will soon do it. */
export const isAwaited = (stage: OrderStage): boolean =>
  paces[stage] === writing || paces[stage] === confirming || paces[stage] === refunding

/** Looks at the first pace before it slows down. */
const steadyPolls = 3
const slowdown = 1.4

/** Pages of one sale opened in the same second; each look comes up to this share earlier or later. */
const spread = 0.2

/** Returns the milliseconds until the next look, `looks` after the last change; undefined when all are final. `random`: 0 to 1. */
export function nextOrderPollMs(stages: readonly OrderStage[], polls: number, random: number): number | undefined {
  const waits = stages.flatMap((stage) => {
    const pace = paces[stage]
    return pace === undefined ? [] : [delayAfter(pace, polls, random)]
  })
  return waits.length === 0 ? undefined : Math.min(...waits)
}

/** Returns the milliseconds until the next try after `looks` without an order; `retryAfterSeconds` is what the shop asks for. */
export function orderRetryMs(polls: number, retryAfterSeconds: number | undefined, random: number): number {
  return Math.max(delayAfter(writing, polls, random), (retryAfterSeconds ?? 0) * 1000)
}

function delayAfter({ fromMs, toMs }: Pace, polls: number, random: number): number {
  const waitMs = Math.min(toMs, fromMs * slowdown ** Math.max(0, polls - steadyPolls))
  return Math.round(waitMs * (1 + (random * 2 - 1) * spread))
}
