/** Sets unpaid timers: delayed messages that name orders, to check their payment once the time to pay is over (O8). */
import * as z from 'zod/mini'
import { type OrderId, parseOrderId } from '../../core/ids.ts'
import { readBy, whole } from '../../core/lib/parse.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { retry, within } from '../lib/retry.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'

/** Orders in one message, at most: two full batches of the writer, and far below the size limit of a message. */
export const maxDeadlineOrders = 100

/** `at` is when the orders may be cancelled, epoch ms. */
export const paymentDeadline = z.strictObject(
  {
    orderIds: z
      .array(readBy(parseOrderId, 'is not a valid id'), 'must be a list')
      .check(z.minLength(1, 'must not be empty'), z.maxLength(maxDeadlineOrders, 'is too long')),
    at: whole(0, Number.MAX_SAFE_INTEGER),
  },
  'must be a JSON object',
)

export type PaymentDeadline = z.infer<typeof paymentDeadline>

export type Deadlines = {
  /**
   * Sends every message so that it arrives at its time, or as late before it as the queue can delay.
   * @throws when any message was not accepted; a repeat may fire timers twice, which is harmless
   */
  schedule: (deadlines: readonly PaymentDeadline[], now: number) => Promise<void>
}

/** When an order may be cancelled, epoch ms. */
export type Timer = { orderId: OrderId; at: number }

/** SQS redelivers a failed message after seconds to a minute; a retry here is faster. */
const maxTries = 3

export type TimerPorts = Pick<ShopContext, 'clock' | 'sleep' | 'meter' | 'log'> & { deadlines: Deadlines }

/** Schedules `timers`; waits until `deadline` (epoch ms) at most. Resolves with false when any may be missing. */
export async function setTimers(
  { deadlines, clock, sleep, meter, log }: TimerPorts,
  timers: readonly Timer[],
  deadline: number,
): Promise<boolean> {
  if (timers.length === 0) return true
  const messages = deadlinesOf(timers)
  return retry(async (tries) => {
    try {
      await within(deadline - clock(), deadlines.schedule(messages, clock()))
      meter.count('DeadlinesScheduled', messages.length)
      return true
    } catch (error) {
      if (tries < maxTries && clock() < deadline) return undefined
      const orderIds = timers.map(({ orderId }) => orderId)
      log.warn('unpaid timers not set', { orderIds, tries, ...errorFacts(error) })
      return false
    }
  }, sleep)
}

/** Returns as few messages as can hold `timers`, each for one time. */
export function deadlinesOf(timers: readonly Timer[]): PaymentDeadline[] {
  const byTime = Map.groupBy(timers, ({ at }) => at)
  return [...byTime].flatMap(([at, group]) => {
    const named = group.map(({ orderId }) => orderId)
    return slicesOf(named, maxDeadlineOrders).map((orderIds) => ({ orderIds, at }))
  })
}
