/** The draw as a mode of the rush: all shoppers enter before the close, and check afterwards whether they have an offer. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlClient } from '../../../cli/control-client.ts'
import { parseSaleId } from '../../../core/ids.ts'
import { type HttpReply, memberOf } from '../../../proof/rush/http.ts'
import { peakOf, type Used, usedBetween } from '../../../proof/rush/load.ts'
import type { ModeCrowd, ModeRequests, RushMode } from '../../../proof/rush/mode.ts'
import type { RushOptions } from '../../../proof/rush/options.ts'
import { connectionOf, type Try, type VirtualShopper } from '../../../proof/rush/shopper.ts'
import { earliestDrawStart } from '../core/fields.ts'
import { allOffers } from '../functions/table.ts'

/**
 * Entries are open for a minimum and more for each shopper: after page loads and the publication of the rules, the local
 * system writes about a hundred entries a second, and twenty on a busy machine.
 */
const [minEntryMs, entryMs] = [60_000, 20]

/** The minimum of the setting. */
const commitSeconds = 60

/** Returns the times of a sale that draws among so many `shoppers`. */
const drawTimes = (shoppers: number) => (now: number) => {
  const closesAt = now + minEntryMs + shoppers * entryMs
  const startsAt = earliestDrawStart({ closesAt, commitSeconds })
  return { startsAt, endsAt: startsAt + 3_600_000, draw: { opensAt: now, closesAt, commitSeconds, claimSeconds: 3600 } }
}

export const drawRush: RushMode = {
  ...{ name: 'draw', timesFor: drawTimes },
  ...{ beforeStart: enterDraw, findBuyers: findOffered },
}

/** Pages of entrants read the result within this time. */
const pollWithinMs = 8000
/** Pages retry after this without an answer. */
const pollAgainMs = 2000

/** More tries than fit before the close, after which every answer is final. */
const maxTries = 1000

const entryPath = (saleId: string) => `/api/entries/${saleId}`
const entered = 'entered'

/**
 * Lets all shoppers enter, then runs `meanwhile`. Resolves when the sale starts.
 * @throws when the rules are not published before the close, or an entry is refused
 */
async function enterDraw(
  entrants: ModeCrowd,
  control: ControlClient,
  meanwhile: RushOptions['meanwhile'],
): Promise<ModeRequests> {
  const { draw, startsAt } = await control.getSale({ saleId: entrants.saleId })
  const sent = await playEntries(entrants, draw?.closesAt ?? startsAt)
  await meanwhile?.()
  await sleep(Math.max(0, startsAt - Date.now()))
  return sent
}

/** Lets each shopper enter at a random time in the first half of the remaining time, with retries. */
async function playEntries(entrants: ModeCrowd, closesAt: number): Promise<ModeRequests> {
  const { system, client, saleId, shoppers, random } = entrants
  const path = entryPath(saleId)
  while ((await client.get(path, shoppers[0]?.token)).reply?.status !== 200) {
    if (Date.now() > closesAt) throw new Error(`the rules of ${saleId} were not published before the close`)
    await sleep(200)
  }
  // The other half is reserved for a busy machine.
  const within = Math.max(0, closesAt - Date.now()) / 2
  const before = await system.counters()
  const tries: Try[] = []
  const winCodeOf = ({ status }: HttpReply) => (status === 200 ? entered : undefined)
  await Promise.all(
    shoppers.map(async (shopper) => {
      await sleep(random() * within)
      const connection = connectionOf(shopper, { client, random, winCodeOf, onTry: (made) => tries.push(made) })
      const reply = await connection.withRetries(path, { method: 'PUT', body: {} }, maxTries)
      if (reply.kind !== 'ok') throw new Error(`${shopper.shopperId} could not enter: ${reply.problem?.detail}`)
    }),
  )
  return summaryOf('entries', tries, usedBetween(before, await system.counters()))
}

/**
 * Waits for the offers and lets all shoppers read their entries. Resolves with those who have an offer.
 * @throws when the units are not offered, or an entry cannot be read, in time
 */
async function findOffered(
  { system, client, saleId, shoppers, random }: ModeCrowd,
  { units, settleMs }: { units: number; settleMs: number },
): Promise<ModeRequests & { buyers: VirtualShopper[] }> {
  const id = parseSaleId(saleId)
  if (id === undefined) throw new Error(`${saleId} is not a sale id`)
  const offeredBy = Date.now() + settleMs
  while ((await allOffers(system.table, id)).length < units) {
    if (Date.now() > offeredBy) throw new Error(`${saleId} did not offer all of ${units}`)
    await sleep(500)
  }
  const shownBy = Date.now() + settleMs
  const before = await system.counters()
  const tries: Try[] = []
  const offered = await Promise.all(
    shoppers.map(async (shopper) => {
      await sleep(random() * pollWithinMs)
      for (;;) {
        const { ms, reply } = await client.get(entryPath(saleId), shopper.token)
        const isAnswered = reply?.status === 200
        tries.push({ code: isAnswered ? entered : 'no-answer', ms, at: performance.now() })
        if (isAnswered)
          return memberOf(reply.body, 'offer') === undefined ? [] : [{ ...shopper, cookies: reply.cookies }]
        if (Date.now() > shownBy) throw new Error(`${shopper.shopperId} was not shown the result`)
        await sleep(pollAgainMs)
      }
    }),
  )
  const used = usedBetween(before, await system.counters())
  return { ...summaryOf('results', tries, used), buyers: offered.flat() }
}

const summaryOf = (name: string, tries: Try[], used: Used): ModeRequests => ({
  peak: peakOf(
    name,
    tries.map(({ ms, code }) => ({ ms, isFailed: code !== entered })),
  ),
  ...{ tries, used },
})
