/**
 * The shop's clock, seen from a browser whose own may be wrong. Answers carry the shop's time; each is a sample that
 * can be off by at most half its round trip, and by what the device's clock has drifted since.
 */
import { clockHeader } from '../core/gate/cors.ts'

/** One answer: `sentAt` and `receivedAt` on the local clock, `serverNow` from the answer; all ms. */
export type ClockSample = { sentAt: number; receivedAt: number; serverNow: number }

/** Quartz in cheap devices is off by less: 0.1 ms in a second. */
const driftPerMs = 1e-4

/** Milliseconds since the epoch that do not jump when the device's clock is set. */
export function localNow(): number {
  return performance.timeOrigin + performance.now()
}

/** The sample in the `headers` of an answer that has just come; undefined where it has no time. */
export function sampleIn(headers: Pick<Headers, 'get'>, sentAt: number): ClockSample | undefined {
  const now = headers.get(clockHeader)
  return now === null ? undefined : { sentAt, receivedAt: localNow(), serverNow: Number(now) }
}

/** A clock that starts as the device's own; `localNow` is the device's epoch ms. */
export function shopClock(localNow: () => number) {
  let best: ClockSample | undefined
  let offsetMs = 0
  let asked = false

  return {
    /** The shop's time, epoch ms, as well as the page knows it. */
    now: () => localNow() + offsetMs,
    /**
     * Whether an answer came, even one without a time: before that, `now()` is the device's own
     * clock, which may be hours off.
     */
    asked: () => asked,
    /** The device may have slept: the next sample replaces what is known. */
    doubt(): void {
      best = undefined
    },
    /** Takes the sample of an answer, where it is better than what is known. */
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

/** The most that a sample can be off at `now`. */
function errorMs(sample: ClockSample, now: number): number {
  return tripMs(sample) / 2 + (now - sample.receivedAt) * driftPerMs
}

function tripMs({ sentAt, receivedAt }: ClockSample): number {
  return receivedAt - sentAt
}
