/** What the rush asked of Redis and the functions, from counters read before and after. */
import type { Counters } from '../system.ts'
import type { Load } from './report.ts'
import type { Try } from './shopper.ts'

/** The difference of two readings, and its share per click that won nothing. */
export function loadOf(before: Counters, after: Counters, tries: Try[], wins: number): Load {
  const runs = (counted: Counters, name: string) => counted.invocations[name] ?? 0
  const reserveRuns = runs(after, 'reserve') - runs(before, 'reserve')
  const redisCommands = after.redisCommands - before.redisCommands
  const losingClicks = tries.filter(({ code }) => code !== 'reserved' && code !== 'repeat').length
  const functionRuns = Object.keys(after.invocations)
    .map((name) => runs(after, name) - runs(before, name))
    .reduce((total, count) => total + count, 0)
  return {
    losingClicks,
    redisCommands,
    functionRuns,
    redisPerLosingClick: losingClicks === 0 ? 0 : redisCommands / losingClicks,
    functionRunsPerLosingClick: losingClicks === 0 ? 0 : Math.max(0, reserveRuns - wins) / losingClicks,
  }
}
