/** The load of a rush on Redis and the functions, from counters read before and after. */
import type { Counters } from '../bench/system.ts'
import { type Try, winCodes } from './shopper.ts'

/**
 * `redisPerLosingRequest` divides all commands of the rush, the winners' included, so it is an
 * upper bound; `functionRunsPerLosingRequest` counts the function's runs beyond one per win.
 */
export type Load = {
  losingRequests: number
  redisCommands: number
  functionRuns: number
  redisPerLosingRequest: number
  functionRunsPerLosingRequest: number
}

const winning: ReadonlySet<string> = new Set(winCodes)

/**
 * The difference of two readings, also per request that won nothing. `behind` is the function that
 * answers the requests.
 */
export function loadOf(
  before: Counters,
  after: Counters,
  { tries, wins, behind }: { tries: Try[]; wins: number; behind: string },
): Load {
  const runs = (counted: Counters, name: string) => counted.invocations[name] ?? 0
  const runsBehind = runs(after, behind) - runs(before, behind)
  const redisCommands = after.redisCommands - before.redisCommands
  const losingRequests = tries.filter(({ code }) => !winning.has(code)).length
  const functionRuns = Object.keys(after.invocations)
    .map((name) => runs(after, name) - runs(before, name))
    .reduce((total, count) => total + count, 0)
  return {
    losingRequests,
    redisCommands,
    functionRuns,
    redisPerLosingRequest: losingRequests === 0 ? 0 : redisCommands / losingRequests,
    functionRunsPerLosingRequest: losingRequests === 0 ? 0 : Math.max(0, runsBehind - wins) / losingRequests,
  }
}
