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

export type Used = Pick<Load, 'redisCommands' | 'functionRuns'>

/** The commands and runs between two readings. */
export function usedBetween(before: Counters, after: Counters): Used {
  const functionRuns = Object.entries(after.invocations)
    .map(([name, runs]) => runs - (before.invocations[name] ?? 0))
    .reduce((total, count) => total + count, 0)
  return { redisCommands: after.redisCommands - before.redisCommands, functionRuns }
}

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
