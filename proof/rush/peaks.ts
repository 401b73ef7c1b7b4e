/**
 * The peaks of a sale's traffic (L4): all pages are loaded again before the start, all shoppers click at the start, all
 * winners look at their prize at once afterwards, and all buyers cancel their orders (run-rush.ts).
 */
import { type Percentiles, percentiles } from '../bench/statistics.ts'
import type { HttpResult } from './http.ts'

/**
 * `failed` requests had no answer, one that asks to come again, or a fault of ours. `longestMs` is the longest time in which a
 * shopper saw nothing happen.
 */
export type Peak = Percentiles & { name: string; requests: number; failed: number; longestMs: number }

/** The peak of requests that were sent, each as the time until its answer. */
export function peakOf(name: string, sent: readonly { ms: number; isFailed: boolean }[]): Peak {
  const times = sent.map(({ ms }) => ms)
  return {
    name,
    requests: sent.length,
    failed: sent.filter(({ isFailed }) => isFailed).length,
    ...percentiles(times),
    longestMs: Math.round(times.reduce((most, ms) => Math.max(most, ms), 0)),
  }
}

/** Sends all requests at once, as far as there are connections for them. */
export async function playPeak(name: string, requests: readonly Promise<HttpResult>[]): Promise<Peak> {
  const results = await Promise.all(requests)
  return peakOf(
    name,
    results.map(({ ms, reply }) => ({ ms, isFailed: reply === undefined || reply.status >= 429 })),
  )
}
