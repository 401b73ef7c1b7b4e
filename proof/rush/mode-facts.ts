/** Computes the stability, fairness and experience of a mode (L9) from the result of a rush with `--mode`. */
import { type Percentiles, percentiles } from '../bench/statistics.ts'
import type { Crowd } from './crowd.ts'
import { failedCodes, type RoundResult } from './run-round.ts'
import { manyAccounts, type Traits, type Try, tripsMs, winCodes } from './shopper.ts'

/** A group of `shoppers` accounts or people, and how many of them won. */
export type Share = { name: string; shoppers: number; won: number }

/**
 * `busiestSecond`: the maximum of requests answered in one second. `errors`: requests without an answer, or answered
 * with 429 or 5xx. `requests` and `refusals` are averages per account. `wait` is the time from the start of the sale to
 * the outcome; when a mode chooses the buyers, the others know it before the start.
 */
export type ModeFacts = {
  mode: string
  busiestSecond: number
  errors: number
  functionRuns: number
  redisCommands: number
  byTrip: Share[]
  byBot: Share[]
  byAccounts: Share[]
  requests: number
  refusals: number
  wait: Percentiles
}

const won: ReadonlySet<string> = new Set(winCodes)

export function modeFacts(
  mode: string,
  { crowd, shoppers, asked, load }: Pick<RoundResult<unknown>, 'crowd' | 'shoppers' | 'asked' | 'load'>,
): ModeFacts {
  const tries = [...asked.flatMap((one) => one.tries), ...crowd.tries]
  const winners = new Set(crowd.winners.map(({ shopperId }) => shopperId))
  const all = shoppers.flatMap(({ shopperId, traits }) =>
    traits === undefined ? [] : [{ ...traits, isWinner: winners.has(shopperId) }],
  )
  const people = [...Map.groupBy(all, ({ person }) => person).values()].flatMap((accounts) => {
    const [one] = accounts
    return one === undefined ? [] : [{ ...one, isWinner: accounts.some(({ isWinner }) => isWinner) }]
  })
  type Account = Traits & { isWinner: boolean }
  const shareOf = (name: string, among: readonly Account[], isMeant: (one: Account) => boolean): Share => {
    const some = among.filter(isMeant)
    return { name, shoppers: some.length, won: some.filter(({ isWinner }) => isWinner).length }
  }
  const used = [load, ...asked.map((one) => one.used)]
  return {
    mode,
    busiestSecond: busiestSecond(tries),
    errors: tries.filter(({ code }) => failedCodes.has(code) || /^status-5/.test(code)).length,
    functionRuns: used.reduce((sum, { functionRuns }) => sum + functionRuns, 0),
    redisCommands: used.reduce((sum, { redisCommands }) => sum + redisCommands, 0),
    byTrip: tripsMs.map((ms) => shareOf(`${ms} ms away`, all, ({ tripMs }) => tripMs === ms)),
    byBot: [shareOf('people', all, ({ isBot }) => !isBot), shareOf('bots', all, ({ isBot }) => isBot)],
    byAccounts: [
      shareOf('with one account', people, ({ accounts }) => accounts === 1),
      shareOf(`with ${manyAccounts} accounts`, people, ({ accounts }) => accounts === manyAccounts),
    ],
    requests: tries.length / shoppers.length,
    refusals: crowd.tries.filter(({ code }) => !won.has(code)).length / shoppers.length,
    wait: waitOf(crowd, shoppers.length),
  }
}

/** Returns the maximum of answers in any second. */
function busiestSecond(tries: readonly Try[]): number {
  const times = tries.map(({ at }) => at).sort((a, b) => a - b)
  let [most, from] = [0, 0]
  for (const [last, at] of times.entries()) {
    while (at - (times[from] ?? at) >= 1000) from += 1
    most = Math.max(most, last - from + 1)
  }
  return most
}

/** Returns the waits; shoppers who did not have to click waited 0 ms. */
function waitOf({ waitsMs }: Crowd<unknown>, shoppers: number): Percentiles {
  return percentiles([...waitsMs, ...Array.from({ length: shoppers - waitsMs.length }, () => 0)])
}

/** Returns the difference between the highest and the lowest win rate, from 0 to 1. */
export function gapOf(shares: readonly Share[]): number {
  const rates = shares.map(({ won: wins, shoppers }) => wins / Math.max(1, shoppers))
  return Math.max(...rates) - Math.min(...rates)
}
