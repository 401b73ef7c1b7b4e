/**
 * One sale under load, from its creation until nothing is on its way any more. The crowd uses the front door only; what it
 * was told is kept, to be held against the databases.
 */
import { controlClient } from '../../cli/control-client.ts'
import { type Spread, seededRandom, spread } from '../statistics.ts'
import type { System } from '../system.ts'
import type { Aftermath } from './aftermath.ts'
import { type AnswerSummary, summarise } from './answers.ts'
import type { Traffic } from './cost.ts'
import { type Crowd, letIn, signIn } from './crowd.ts'
import { type Line, openLine } from './http.ts'
import { type Load, loadOf } from './load.ts'
import { type OpenSale, openSaleOf } from './open-sale.ts'
import type { CrowdOptions } from './options.ts'
import { askLate, queued, type Settle, shownLeft } from './settle.ts'
import type { Door } from './shopper.ts'
import type { Wares } from './wares.ts'
import { type Seen, type Sight, watchWinners } from './watch.ts'

/** Winners whose prize is looked at through the shop's own API. */
const sampleSize = 50

/** What the crowd comes for. */
export type Round<Prize> = {
  wares: Wares
  doorOf(line: Line, sale: OpenSale): Door<Prize>
  /** The function that answers at that door. */
  behind: string
  sight: Sight<Prize>
  expectedWinners: number
  /** Whether nothing is left for whoever comes after everybody. */
  sellsOut: boolean
  settle: Settle
}

/** What the crowd was told, and what everybody else is told after it. */
export type Played<Prize> = {
  saleId: string
  crowd: Crowd<Prize>
  seen: Seen
  load: Load
  after: Aftermath
}

/** Throws when the system does not come back after the crowd. */
export async function playRound<Prize>(
  system: System,
  options: CrowdOptions,
  round: Round<Prize>,
): Promise<Played<Prize>> {
  const { concurrency, settleMs, fault } = options
  const { wares, behind, expectedWinners } = round
  const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
  const random = seededRandom(options.seed)
  const shoppers = await signIn(system, options, random)
  const sale = await openSaleOf(system.url, control, wares)
  const { saleId } = sale
  const line = openLine(system.url, concurrency)
  const readers = openLine(system.url, 4)
  const run = system.stayWithSales()
  try {
    const door = round.doorOf(line, sale)
    const every = Math.max(1, Math.floor(expectedWinners / sampleSize))
    const watch = watchWinners(readers, round.sight, { every, patienceMs: settleMs })
    const before = await system.counters()
    if (fault !== undefined) await system.setFault(fault)
    const crowd = await letIn(door, watch, shoppers, options, random)
    const after = await system.counters()
    const live = await round.settle(system, control, saleId, options)
    if (live === undefined)
      throw new Error('the system did not come back after the rush: nothing can be checked')

    const seen = await watch.finish()
    const refusedWithLeft = round.sellsOut ? await askLate(system, door) : undefined
    const wins = crowd.winners.length
    return {
      saleId,
      crowd,
      seen,
      load: loadOf(before, after, { tries: crowd.tries, wins, behind }),
      after: {
        unseen: seen.unseen,
        queued: queued(live),
        deadLetters: live.deadLetters ?? Number.NaN,
        shownLeft: await shownLeft(system.url, saleId, live.stock?.available),
        refusedWithLeft,
      },
    }
  } finally {
    await Promise.all([line.close(), readers.close(), run.end()])
  }
}

/** What the crowd was answered, and how fast. */
export type CrowdFacts = {
  answers: AnswerSummary[]
  gaveUp: number
  seconds: number
  clicksPerSecond: number
}

export function crowdFacts({ tries, gaveUp, seconds }: Crowd<unknown>): CrowdFacts {
  return {
    answers: summarise(tries),
    gaveUp,
    seconds,
    clicksPerSecond: tries.length / seconds,
  }
}

/** How soon winners saw what they won: undefined where none was watched. */
export type Shown = (Spread & { sampled: number }) | undefined

export function shownAfter({ delaysMs }: Seen): Shown {
  return delaysMs.length === 0 ? undefined : { ...spread(delaysMs), sampled: delaysMs.length }
}

/** What the crowd is billed for; every click ran the gate. */
export function trafficOf({ tries }: Crowd<unknown>, { functionRuns, redisCommands }: Load): Traffic {
  return { requests: tries.length, gateRuns: tries.length, functionRuns, redisCommands }
}
