/**
 * When a page polls orders: frequently while the shopper waits for the next step, then with backoff, and never in a final
 * state. The page of an order polls for expected steps only if the shop does not hold requests (client/held-wait.ts).
 */
import type { OrderStage } from './order-stage.ts'

type Pace = { fromMs: number; toMs: number }

/** An order is written within about three seconds, so the second poll usually finds it. */
const writing: Pace = { fromMs: 2500, toMs: 10_000 }
const confirming: Pace = { fromMs: 2000, toMs: 10_000 }
/** The page also polls when the shopper returns from paying, and when the time to pay is over. */
const awaitingPayment: Pace = { fromMs: 20_000, toMs: 60_000 }
/** A cancelled order is rarely paid, but a shopper who waits for a refund must see it. */
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

/** True while the shop or the payment provider will soon do the next step. */
export const isAwaited = (stage: OrderStage): boolean =>
  paces[stage] === writing || paces[stage] === confirming || paces[stage] === refunding

/** Polls before the backoff starts. */
const steadyPolls = 3
const slowdown = 1.4

/** Jitter: each wait is up to this share shorter or longer, because pages of a sale open in the same second. */
const spread = 0.2

/** Returns the ms until the next poll, after `polls` without a change; undefined when all are final. `random`: 0 to 1. */
export function nextOrderPollMs(stages: readonly OrderStage[], polls: number, random: number): number | undefined {
  const waits = stages.flatMap((stage) => {
    const pace = paces[stage]
    return pace === undefined ? [] : [delayAfter(pace, polls, random)]
  })
  return waits.length === 0 ? undefined : Math.min(...waits)
}

/** Returns the ms until the next attempt, after `polls` without an order. `retryAfterSeconds` is that of the answer. */
export function orderRetryMs(polls: number, retryAfterSeconds: number | undefined, random: number): number {
  return Math.max(delayAfter(writing, polls, random), (retryAfterSeconds ?? 0) * 1000)
}

function delayAfter({ fromMs, toMs }: Pace, polls: number, random: number): number {
  const waitMs = Math.min(toMs, fromMs * slowdown ** Math.max(0, polls - steadyPolls))
  return Math.round(waitMs * (1 + (random * 2 - 1) * spread))
}
