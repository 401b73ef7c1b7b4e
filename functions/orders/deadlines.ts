/** Unpaid timers: delayed messages that name orders to check once their time to pay is over (O8). */
import type { OrderId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { maxDeadlineOrders, type PaymentDeadline } from '../../core/orders/payment-timer-message.ts'
import { retry } from '../lib/retry.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'
import { within } from '../lib/within.ts'

export type Deadlines = {
  /**
   * Sends every message to arrive at its time, or as close before it as the queue can delay.
   * @throws when any message was not accepted; a repeat may fire timers twice, which is harmless
   */
  schedule: (deadlines: readonly PaymentDeadline[], now: number) => Promise<void>
}

/** When an order may be cancelled, epoch ms. */
export type Timer = { orderId: OrderId; at: number }

/** A failed message is redelivered after a minute; waiting out a short fault here is faster. */
const maxTries = 3

export type TimerPorts = Pick<Shop, 'clock' | 'sleep' | 'meter' | 'log'> & { deadlines: Deadlines }

/** Schedules `timers`, waiting no longer than `deadline` (epoch ms). False when any may be missing. */
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

/** As few messages as can hold `timers`, each for one time. */
export function deadlinesOf(timers: readonly Timer[]): PaymentDeadline[] {
  const byTime = Map.groupBy(timers, ({ at }) => at)
  return [...byTime].flatMap(([at, group]) => {
    const named = group.map(({ orderId }) => orderId)
    return slicesOf(named, maxDeadlineOrders).map((orderIds) => ({ orderIds, at }))
  })
}
