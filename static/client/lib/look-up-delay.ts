/**
 * How long to wait before a look-up of what became of a request without an answer. A throttled
 * function leaves a whole crowd without one in the same second, and its look-ups must not take the
 * capacity that winners need.
 */

const leastMs = 5000
const spreadMs = 5000

/** Milliseconds from the lost answer to the look-up. `random` is from 0 up to 1. */
export function lookUpDelayMs(random: number): number {
  return Math.round(leastMs + random * spreadMs)
}
