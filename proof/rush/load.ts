/**
 * Measures the traffic of a rush: its load on Redis and the functions, from counters before and after, and its peaks
 * (L4). All pages are reloaded before the start, all shoppers click at the start, then all winners read their order or
 * wallet, and all buyers cancel their orders (run-rush.ts).
 */

import { type Percentiles, percentiles } from '../bench/statistics.ts'
import type { Counters } from '../bench/system.ts'
import type { HttpResult } from './http.ts'
import { type Try, winCodes } from './shopper.ts'

/**
 * `redisPerLosingRequest` divides all commands of the rush, including those of winners, so it is an upper bound.
 * `functionRunsPerLosingRequest` counts the runs beyond one per win.
 */
export type Load = {
  losingRequests: number
  redisCommands: number
  functionRuns: number
  redisPerLosingRequest: number
  functionRunsPerLosingRequest: number
}

const winning: ReadonlySet<string> = new Set(winCodes)

export type Used = Pick<Load, 'redisCommands' | 'functionRuns'>

/** Returns the commands and runs between two readings. */
export function usedBetween(before: Counters, after: Counters): Used {
  const functionRuns = Object.entries(after.invocations)
    .map(([name, runs]) => runs - (before.invocations[name] ?? 0))
    .reduce((total, count) => total + count, 0)
  return { redisCommands: after.redisCommands - before.redisCommands, functionRuns }
}

/**
 * Returns the load between two readings, in total and per losing request. `functionName` is the function that answers
 * the requests.
 */
export function loadOf(
  before: Counters,
  after: Counters,
  { tries, wins, functionName }: { tries: Try[]; wins: number; functionName: string },
): Load {
  const runs = (counted: Counters, name: string) => counted.invocations[name] ?? 0
  const runsBehind = runs(after, functionName) - runs(before, functionName)
  const losingRequests = tries.filter(({ code }) => !winning.has(code)).length
  const { redisCommands, functionRuns } = usedBetween(before, after)
  return {
    losingRequests,
    redisCommands,
    functionRuns,
    redisPerLosingRequest: losingRequests === 0 ? 0 : redisCommands / losingRequests,
    functionRunsPerLosingRequest: losingRequests === 0 ? 0 : Math.max(0, runsBehind - wins) / losingRequests,
  }
}

/** `failed` requests had no answer, or one with status 429 or 5xx. `maxMs` is the longest wait for an answer. */
export type Peak = Percentiles & { name: string; requests: number; failed: number; maxMs: number }

/** Summarises requests by the time until their answers. */
export function peakOf(name: string, sent: readonly { ms: number; isFailed: boolean }[]): Peak {
  const times = sent.map(({ ms }) => ms)
  return {
    name,
    requests: sent.length,
    failed: sent.filter(({ isFailed }) => isFailed).length,
    ...percentiles(times),
    maxMs: Math.round(times.reduce((most, ms) => Math.max(most, ms), 0)),
  }
}

/** Waits for all requests, which are sent at once as far as there are connections, and summarises them. */
export async function playPeak(name: string, requests: readonly Promise<HttpResult>[]): Promise<Peak> {
  const results = await Promise.all(requests)
  return peakOf(
    name,
    results.map(({ ms, reply }) => ({ ms, isFailed: reply === undefined || reply.status >= 429 })),
  )
}
