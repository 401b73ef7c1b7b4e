/**
 * How long to wait before a transaction that met another one is retried. The longest pause doubles
 * with each refusal up to a maximum, and the pause is a random part of it, so that two writers do
 * not meet again (full jitter,
 * https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/). A transaction
 * takes 20 to 40 ms: the first retries lie within one, and the longest pause spreads a dozen
 * writers.
 */
const firstPauseMs = 10
const longestPauseMs = 320

/** The pause in milliseconds after `refusals` refusals, at least 1. */
export function backOffMs(refusals: number): number {
  return Math.min(firstPauseMs * 2 ** (refusals - 1), longestPauseMs) * Math.random()
}
