/**
 * When a page polls the wallet after a claim. The credit is written after the answer, mostly within
 * a second, so the page polls often at first, then less often, and stops after half a minute.
 */

const waitsMs = [700, 1000, 1500, 2300, 3500, 5000, 5000, 5000, 5000]

/** Packets of a rain are caught in the same seconds; each look comes up to this share earlier or later. */
const spread = 0.15

/** Returns the milliseconds from the `looks`-th look, or from the catch for 0, to the next; undefined when it is time to stop. */
export function nextWalletPollMs(polls: number, random: number): number | undefined {
  const waitMs = waitsMs[polls]
  return waitMs === undefined ? undefined : Math.round(waitMs * (1 + (random * 2 - 1) * spread))
}
