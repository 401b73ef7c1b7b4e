/**
 * Estimates the shop's time in a browser whose clock may be wrong. Each answer carries the shop's time, which is a sample.
 * The error of a sample is at most half its round trip plus the drift of the device's clock since then.
 */
import { clockHeader } from '../core/gate/cors.ts'

/** One answer: `sentAt` and `receivedAt` on the local clock, `serverNow` from the answer; all ms. */
export type ClockSample = { sentAt: number; receivedAt: number; serverNow: number }

/** Upper bound of the drift of cheap quartz clocks: 0.1 ms in a second. */
const driftPerMs = 1e-4

/** Returns epoch ms that do not jump when the device's clock is set. */
export function localNow(): number {
  return performance.timeOrigin + performance.now()
}

/** Returns the sample in the `headers` of an answer that has just arrived; undefined if it has no time. */
export function sampleIn(headers: Pick<Headers, 'get'>, sentAt: number): ClockSample | undefined {
  const now = headers.get(clockHeader)
  return now === null ? undefined : { sentAt, receivedAt: localNow(), serverNow: Number(now) }
}

/** Creates a clock that starts with the time of the device. `localNow` returns that time, epoch ms. */
export function shopClock(localNow: () => number) {
  let best: ClockSample | undefined
  let offsetMs = 0
  let asked = false

  return {
    /** Returns the best estimate of the shop's time, epoch ms. */
    now: () => localNow() + offsetMs,
    /** True once an answer arrived. Before that, `now()` is the device's clock, which may be hours off. */
    asked: () => asked,
    /** Makes the next sample replace the estimate, because the device may have slept. */
    doubt(): void {
      best = undefined
    },
    /** Uses the sample of an answer if its error is smaller. */
    take(sample: ClockSample | undefined): void {
      asked = true
      if (sample === undefined || !isBetter(sample, best, localNow())) return
      best = sample
      offsetMs = sample.serverNow + tripMs(sample) / 2 - sample.receivedAt
    },
  }
}

function isBetter(fresh: ClockSample, before: ClockSample | undefined, now: number): boolean {
  if (tripMs(fresh) < 0 || !Number.isFinite(fresh.serverNow)) return false
  return before === undefined || errorMs(fresh, now) <= errorMs(before, now)
}

/** Returns the largest possible error of a sample at `now`, ms. */
function errorMs(sample: ClockSample, now: number): number {
  return tripMs(sample) / 2 + (now - sample.receivedAt) * driftPerMs
}

function tripMs({ sentAt, receivedAt }: ClockSample): number {
  return receivedAt - sentAt
}
