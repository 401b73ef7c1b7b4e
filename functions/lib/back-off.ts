/**
 * How long to wait before a transaction is tried again that met another one. The longest pause doubles with each
 * refusal up to the longest of all, and the pause taken is a random part of it, so that two who met once do not meet
 * again (full jitter, https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/). A transaction
 * takes 20 to 40 ms: the first retries lie within one, and the longest pause spreads a dozen writers over one each.
 */
const firstPauseMs = 10
const longestPauseMs = 320

/** The pause in milliseconds after `refusals` refusals, at least one. */
export function backOffMs(refusals: number): number {
  return Math.min(firstPauseMs * 2 ** (refusals - 1), longestPauseMs) * Math.random()
}
