/**
 * Runs one sale under load, from its creation until nothing is in progress any more. Shoppers use only the public API;
 * their answers are recorded and compared with the databases.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlClient, ShopperSession } from '../../cli/control-client.ts'
import type { Live } from '../../core/api/control-answers.ts'
import { marketerOf } from '../bench/own-system.ts'
import { type Percentiles, percentiles, percentilesIfAny, seededRandom } from '../bench/statistics.ts'
import type { System } from '../bench/system.ts'
import { addCrowd, type Crowd, losersOf, runCrowd, signInCrowd } from './crowd.ts'
import { type HttpClient, openHttpClient } from './http.ts'
import { type Load, loadOf, type Peak, peakOf, playPeak } from './load.ts'
import { type LostDatabase, loseDatabase, waitForHeldBack } from './lost-database.ts'
import type { ModeRequests } from './mode.ts'
import { type OpenSale, openRushSale } from './open-sale.ts'
import { findOptionMode, rushProduct } from './option-modes.ts'
import type { RushOptions } from './options.ts'
import { summarise, type Try, type VirtualShopper, type WinRequest, winCodes } from './shopper.ts'
import type { Aftermath, WrittenOrder } from './verdict.ts'
import { queueLength, readRefusedLeft, shownLeft, tryGetLive, waitForRest } from './wait-for-rest.ts'
import { type Seen, type WinView, watchWinners } from './watch.ts'

/** Winners whose order or credit is read through the shop's API. */
const sampleSize = 50

/** Short, because the rush waits for the last tick. */
const tickMs = 3000

/** Describes a kind of rush. */
export type RushRound<Win> = {
  requestOf(line: HttpClient, sale: OpenSale): WinRequest<Win>
  view: WinView<Win>
  expectedWinners: number
  /** True when a shopper after the rush must read "sold out". */
  sellsOut: boolean
}

/** Sessions by shopper id. */
export type Sessions = ReadonlyMap<string, ShopperSession>

/** The answers during the rush, and to one shopper after it. */
export type RoundResult<Win> = {
  saleId: string
  crowd: Crowd<Win>
  /** All shoppers, including those who did not click. */
  shoppers: readonly VirtualShopper[]
  /** Requests of shoppers other than clicks, in a mode of an option. */
  asked: readonly ModeRequests[]
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
export async function runRound<Win>(
  system: System,
  options: RushOptions,
  round: RushRound<Win>,
): Promise<RoundResult<Win>> {
  const { concurrency, settleMs, fault, kill, mode, meanwhile } = options
  const { expectedWinners } = round
  const optionMode = findOptionMode(mode)
  const control = await marketerOf(system)
  const random = seededRandom(options.seed)
  const shoppers = await signInCrowd(system, options, random)
  const sessions: Sessions = new Map(shoppers.map((shopper) => [shopper.shopperId, shopper]))
  const client = openHttpClient(system.url, concurrency)
  const readers = openHttpClient(system.url, 4)
  const peaks: Peak[] = []
  const asked: ModeRequests[] = []
  const sale = await openRushSale(system.url, control, rushProduct(options), async (saleId) => {
    // A reloaded page requests itself and the pointer; the rest is in the browser's cache.
    const paths = [`/sales/${saleId}/`, `/sales/${saleId}/current.json`]
    const loads = shoppers.flatMap(() => paths.map((path) => client.get(path)))
    peaks.push(await playPeak('pages before', loads))
    const crowd = { system, client, saleId, shoppers, random }
    if (optionMode !== undefined) asked.push(await optionMode.beforeStart(crowd, control, meanwhile))
  })
  const { saleId } = sale
  const findBuyers = async () => {
    const wanted = { units: expectedWinners, settleMs }
    const found = await optionMode?.findBuyers({ system, client, saleId, shoppers, random }, wanted)
    if (found === undefined) return shoppers
    const { buyers, ...requests } = found
    asked.push(requests)
    return buyers
  }
  const run = system.startTicking(tickMs)
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
      addCrowd(crowd, await buy(losersOf(shoppers, crowd)))
    }
    const after = await system.counters()
    const clicks = crowd.tries.map(({ ms, code }) => ({ ms, isFailed: failedCodes.has(code) }))
    peaks.push(
      ...asked.map(({ peak }) => peak),
      peakOf('clicks', clicks),
      // Written or not.
      await playPeak(
        'winners after',
        crowd.winners
          .slice(0, maxReturning)
          .map((won) => client.get(round.view.path(won), sessions.get(won.shopperId)?.token)),
      ),
    )
    const live = await waitForRest(system, control, saleId, options)
    if (live === undefined) throw new Error('the system did not recover after the rush: nothing can be checked')

    const seen = await watch.finish()
    const miscounted = await miscountedDemand(control, saleId, crowd.tries)
    const refusedWithLeft = round.sellsOut ? await readRefusedLeft(system, request) : undefined
    const functionName = options.kind === 'red-packet' ? 'claim' : 'reserve'
    const load = loadOf(before, after, { tries: crowd.tries, wins: crowd.winners.length, functionName })
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
        queued: queueLength(live),
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

/** Answers that make a shopper wait. */
export const failedCodes: ReadonlySet<string> = new Set(['no-answer', 'unavailable', 'too-many-requests'])

/** Maximum of winners that read at once: half of the reads that the throttle allows an address in a minute. */
const maxReturning = 5000

/** The facts that every rush reports. */
export type RoundFacts = ReturnType<typeof roundFacts>

export function roundFacts(
  { saleId, crowd, seen, load, peaks, lostDatabase }: RoundResult<unknown>,
  orders: readonly WrittenOrder[],
) {
  const { tries, gaveUp, seconds } = crowd
  return {
    ...{ saleId, load, peaks, lostDatabase, gaveUp, seconds },
    answers: summarise(tries),
    requestsPerSecond: tries.length / seconds,
    /** Time from the reservation to the written order, for every order. */
    written: percentilesIfAny(orders.map(({ reservedAt, writtenAt }) => writtenAt - reservedAt)),
    readable: shownDelay(seen),
  }
}

/** Time until winners saw their order or credit; undefined when none was watched. */
export type ShownDelay = (Percentiles & { sampled: number }) | undefined

function shownDelay({ delaysMs }: Seen): ShownDelay {
  return delaysMs.length === 0 ? undefined : { ...percentiles(delaysMs), sampled: delaysMs.length }
}

/** Instances send their counts within a second, and the console shows them later; a busy machine takes longer. */
const patienceMs = 60_000

/**
 * Compares the demand that the console shows with the answers to the shoppers. Waits for the counts to arrive, and
 * returns the differences; undefined when an answer was lost or replaced, because then the shoppers do not know what
 * was counted.
 */
async function miscountedDemand(
  control: ControlClient,
  saleId: string,
  tries: readonly Try[],
): Promise<string[] | undefined> {
  if (tries.some(isDoubtful)) return undefined
  const deadline = performance.now() + patienceMs
  for (;;) {
    const live = await tryGetLive(control, saleId)
    const differences = compareDemand(live?.demand ?? null, tries)
    if (differences.length === 0 || performance.now() > deadline) return differences
    await sleep(250)
  }
}

/** True when there was no answer, or one of the distribution instead of a function. */
const isDoubtful = ({ isCounted, code }: Try) => isCounted === undefined || /^status-5/.test(code)

/**
 * Returns a line for each count of the console that differs from the shoppers' count. After a failure of the store it
 * may be smaller, because the gate does not resend counts.
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
