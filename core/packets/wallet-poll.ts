/**
 * When a page polls the wallet after a claim. The credit is usually written within a second after the answer, so the page
 * polls with backoff and stops after half a minute.
 */

const waitsMs = [700, 1000, 1500, 2300, 3500, 5000, 5000, 5000, 5000]

/** Jitter: each wait is up to this share shorter or longer, because packets are claimed in the same seconds. */
const spread = 0.15

/** Returns the ms until the next poll, after `polls` polls since the claim; undefined to stop. */
export function nextWalletPollMs(polls: number, random: number): number | undefined {
  const waitMs = waitsMs[polls]
  return waitMs === undefined ? undefined : Math.round(waitMs * (1 + (random * 2 - 1) * spread))
}
