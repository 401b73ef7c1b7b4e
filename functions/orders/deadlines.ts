/** The unpaid timers: delayed messages that name orders to look at once their time to pay is over (O8). */
import type { OrderId } from '../../core/ids.ts'
import { maxDeadlineOrders, type PaymentDeadline } from '../../core/payment-deadline.ts'
import { backOffMs } from '../lib/back-off.ts'
import { slicesOf } from '../lib/slices.ts'
import { errorFacts, type Telemetry } from '../lib/telemetry.ts'
import { within } from '../lib/within.ts'

export type Deadlines = {
  /**
   * Sends every message so that it comes at its time, or as near before it as the queue can delay. Throws unless all
   * were taken; repeating it then makes timers ring twice, which does no harm.
   */
  schedule: (deadlines: readonly PaymentDeadline[], now: number) => Promise<void>
}

/** When an order may be cancelled, epoch ms. */
export type Timer = { orderId: OrderId; at: number }

/** Without its timer a written message comes again, but only after a minute: a hiccup is better waited out. */
const maxTries = 3

export type TimerPorts = {
  deadlines: Deadlines
  clock: () => number
  sleep: (milliseconds: number) => Promise<void>
} & Telemetry

/** Sets `timers`, waiting no longer than `deadline` (epoch ms). False when any of them may not be set. */
export async function setTimers(
  { deadlines, clock, sleep, meter, log }: TimerPorts,
  timers: readonly Timer[],
  deadline: number,
): Promise<boolean> {
  if (timers.length === 0) return true
  const messages = deadlinesOf(timers)
  for (let tries = 1; ; tries += 1) {
    try {
      await within(deadline - clock(), deadlines.schedule(messages, clock()))
      meter.count('DeadlinesScheduled', messages.length)
      return true
    } catch (error) {
      if (tries === maxTries || clock() >= deadline) {
        const orderIds = timers.map(({ orderId }) => orderId)
        log.error('unpaid timers not set', { orderIds, tries, ...errorFacts(error) })
        return false
      }
    }
    await sleep(backOffMs(tries))
  }
}

/** As few messages as can hold `timers`, each for one time. */
export function deadlinesOf(timers: readonly Timer[]): PaymentDeadline[] {
  const byTime = Map.groupBy(timers, ({ at }) => at)
  return [...byTime].flatMap(([at, group]) => {
    const named = group.map(({ orderId }) => orderId)
    return slicesOf(named, maxDeadlineOrders).map((orderIds) => ({ orderIds, at }))
  })
}
