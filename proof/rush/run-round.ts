/**
 * One sale under load, from its creation until nothing is in progress any more. Shoppers use the
 * public API only; their answers are recorded and compared with the databases.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlClient, ShopperSession } from '../../cli/control-client.ts'
import type { Live } from '../../core/api/control-answers.ts'
import { marketerOf } from '../bench/own-system.ts'
import { type Percentiles, percentiles, seededRandom } from '../bench/statistics.ts'
import type { System } from '../bench/system.ts'
import { addCrowd, type Crowd, runCrowd, signInCrowd, withoutPrize } from './crowd.ts'
import { type HttpClient, openHttpClient } from './http.ts'
import { type Load, loadOf, type Peak, peakOf, playPeak } from './load.ts'
import { type LostDatabase, loseDatabase, waitForHeldBack } from './lost-database.ts'
import type { Asked } from './mode.ts'
import { modeOfOption } from './modes-of-options.ts'
import { type OpenSale, openSaleOf, type Product } from './open-sale.ts'
import type { CrowdOptions } from './options.ts'
import { type AnswerSummary, type PrizeRequest, summarise, type Try, type VirtualShopper, winCodes } from './shopper.ts'
import type { Aftermath } from './verdict.ts'
import { askAfterwards, liveIfUp, queued, shownLeft, type WaitForRest } from './wait-for-rest.ts'
import { type PrizeView, type Seen, watchWinners } from './watch.ts'

/** Winners whose prize is read through the shop's own API. */
const sampleSize = 50

/** Short, because the rush waits for the last run. */
const tickMs = 3000

/** The kind of rush. */
export type Round<Prize> = {
  product: Product
  requestOf(line: HttpClient, sale: OpenSale): PrizeRequest<Prize>
  /** The function that answers the requests. */
  behind: string
  view: PrizeView<Prize>
  expectedWinners: number
  /** 1, or the number of shards to the first of which all shoppers belong. */
  homeOf: number
  /** Whether nothing is left for a shopper who comes after the rush. */
  sellsOut: boolean
  waitForRest: WaitForRest
}

/** By the shopper's id. */
export type Sessions = ReadonlyMap<string, ShopperSession>

/** The answers during the rush, and to a shopper after it. */
export type RoundResult<Prize> = {
  saleId: string
  crowd: Crowd<Prize>
  /** All of them, also those who had no reason to click. */
  shoppers: readonly VirtualShopper[]
  /** What a mode makes shoppers ask besides clicks. */
  asked: readonly Asked[]
  sessions: Sessions
  seen: Seen
  peaks: readonly Peak[]
  load: Load
  after: Aftermath
  lostDatabase: LostDatabase | undefined
}

/**
 * Runs one sale.
 * @throws when the system does not recover after the rush
 */
export async function runRound<Prize>(
  system: System,
  options: CrowdOptions,
  round: Round<Prize>,
): Promise<RoundResult<Prize>> {
  const { concurrency, settleMs, fault, kill, mode, meanwhile } = options
  const { product, behind, expectedWinners } = round
  const ofOption = modeOfOption(mode)
  const control = await marketerOf(system)
  const random = seededRandom(options.seed)
  const shoppers = await signInCrowd(system, options, round.homeOf, random)
  const sessions: Sessions = new Map(shoppers.map((shopper) => [shopper.shopperId, shopper]))
  const client = openHttpClient(system.url, concurrency)
  const readers = openHttpClient(system.url, 4)
  const peaks: Peak[] = []
  const asked: Asked[] = []
  const sale = await openSaleOf(system.url, control, product, async (saleId) => {
    // A page that is loaded again asks for itself and for the pointer; the browser has the rest.
    const paths = [`/sales/${saleId}/`, `/sales/${saleId}/current.json`]
    const loads = shoppers.flatMap(() => paths.map((path) => client.get(path)))
    peaks.push(await playPeak('pages before', loads))
    const crowd = { system, client, saleId, shoppers, random }
    if (ofOption !== undefined) asked.push(await ofOption.beforeStart(crowd, control, meanwhile))
  })
  const { saleId } = sale
  const findBuyers = async () => {
    const wanted = { units: expectedWinners, settleMs }
    const found = await ofOption?.findBuyers({ system, client, saleId, shoppers, random }, wanted)
    if (found === undefined) return shoppers
    const { buyers, ...looks } = found
    asked.push(looks)
    return buyers
  }
  const run = system.keepTicking(tickMs)
  try {
    const request = round.requestOf(client, sale)
    const every = Math.max(1, Math.floor(expectedWinners / sampleSize))
    const watch = watchWinners(readers, round.view, { every, patienceMs: settleMs })
    const buyers = await findBuyers()
    const before = await system.counters()
    if (fault !== undefined) await system.setFault(fault)
    const losing = kill === undefined ? undefined : loseDatabase(system, control, saleId, kill)
    const buy = (some: VirtualShopper[]) => runCrowd(request, watch, some, { ...options, random })
    const [crowd, lostDatabase] = await Promise.all([buy(buyers), losing])
    if (lostDatabase !== undefined) {
      await waitForHeldBack(control, saleId, options)
      addCrowd(crowd, await buy(withoutPrize(shoppers, crowd)))
    }
    const after = await system.counters()
    const clicks = crowd.tries.map(({ ms, code }) => ({ ms, isFailed: failedCodes.has(code) }))
    peaks.push(
      ...asked.map(({ peak }) => peak),
      peakOf('clicks', clicks),
      await returnAll(client, round.view, sessions, crowd),
    )
    const live = await round.waitForRest(system, control, saleId, options)
    if (live === undefined) throw new Error('the system did not recover after the rush: nothing can be checked')

    const seen = await watch.finish()
    const miscounted = await miscountedDemand(control, saleId, crowd.tries)
    const refusedWithLeft = round.sellsOut ? await askAfterwards(system, request) : undefined
    const load = loadOf(before, after, { tries: crowd.tries, wins: crowd.winners.length, behind })
    return {
      saleId,
      crowd,
      shoppers,
      asked,
      sessions,
      seen,
      peaks,
      lostDatabase,
      load,
      after: {
        unseen: seen.unseen,
        queued: queued(live),
        deadLetters: live.deadLetters ?? Number.NaN,
        shownLeft: await shownLeft(system.url, saleId, live.stock?.available),
        refusedWithLeft,
        miscounted,
      },
    }
  } finally {
    await Promise.all([client.close(), readers.close(), run.end()])
  }
}

/** Answers that leave a shopper waiting. */
export const failedCodes: ReadonlySet<string> = new Set(['no-answer', 'unavailable', 'too-many-requests'])

/** The most winners that look at their prize at once: half of the reads that an address has in a minute. */
const mostReturning = 5000

/** Winners look at their prize at once, whether it is written or not. */
function returnAll<Prize>(
  client: HttpClient,
  view: PrizeView<Prize>,
  sessions: Sessions,
  { winners }: Crowd<Prize>,
): Promise<Peak> {
  const returning = winners.slice(0, mostReturning)
  return playPeak(
    'winners after',
    returning.map((won) => client.get(view.path(won), sessions.get(won.shopperId)?.token)),
  )
}

/** The answers of the rush, and their rate. */
export type CrowdFacts = {
  answers: AnswerSummary[]
  gaveUp: number
  seconds: number
  requestsPerSecond: number
  peaks: readonly Peak[]
}

export function crowdFacts({ tries, gaveUp, seconds }: Crowd<unknown>, peaks: readonly Peak[]): CrowdFacts {
  return { answers: summarise(tries), gaveUp, seconds, requestsPerSecond: tries.length / seconds, peaks }
}

/** The time until winners saw their prize; undefined where none was watched. */
export type Shown = (Percentiles & { sampled: number }) | undefined

export function shownAfter({ delaysMs }: Seen): Shown {
  return delaysMs.length === 0 ? undefined : { ...percentiles(delaysMs), sampled: delaysMs.length }
}

/** Instances send their counts within a second, and the console reads them after that; a busy machine is later. */
const patienceMs = 60_000

/**
 * Compares the demand that the console shows with what the shoppers of a rush were answered. Returns what differs, after the
 * counts had time to arrive; undefined when an answer was lost or replaced on its way, because the shoppers do not know
 * then what was counted.
 */
async function miscountedDemand(
  control: ControlClient,
  saleId: string,
  tries: readonly Try[],
): Promise<string[] | undefined> {
  if (tries.some(isDoubtful)) return undefined
  const deadline = performance.now() + patienceMs
  for (;;) {
    const live = await liveIfUp(control, saleId)
    const differences = compareDemand(live?.demand ?? null, tries)
    if (differences.length === 0 || performance.now() > deadline) return differences
    await sleep(250)
  }
}

/** No answer, or one of the distribution in place of a function's. */
const isDoubtful = ({ isCounted, code }: Try) => isCounted === undefined || /^status-5/.test(code)

/**
 * One line for each number of the console that is not the shoppers' own. It may be smaller where a store did not answer, as the gate
 * does not send counts again.
 */
export function compareDemand(demand: Live['demand'], tries: readonly Try[]): string[] {
  const counted = tries.filter(({ isCounted }) => isCounted)
  const own = new Map([...Map.groupBy(counted, ({ code }) => code)].map(([code, some]) => [code, some.length]))
  const won = winCodes.reduce((sum, code) => sum + (own.get(code) ?? 0), 0)
  for (const code of winCodes) own.delete(code)
  const mayLack = own.has('unavailable')
  const shown = new Map(demand?.refused.map(({ reason, count }) => [reason, count]))
  const rows: (readonly [what: string, shown: number, own: number])[] = [
    ['requests', demand?.asked ?? 0, counted.length],
    ['wins', demand?.won ?? 0, won],
    ...[...new Set([...shown.keys(), ...own.keys()])].map(
      (code) => [code, shown.get(code) ?? 0, own.get(code) ?? 0] as const,
    ),
  ]
  return rows
    .filter(([, there, here]) => (mayLack ? there > here : there !== here))
    .map(([what, there, here]) => `the console counts ${there} ${what}, the shoppers ${here}`)
}
