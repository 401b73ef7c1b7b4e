/**
 * Adds the draw to the proof: a mode of the rush, and simulated sales. Shoppers enter and leave around the close, the beacon
 * is late or never comes, and sometimes the list cannot be published in time, so that the draw is void. Shoppers with an
 * offer buy or let it expire; others click without one.
 */
import type { ShopperId } from '../../../core/ids.ts'
import { counted } from '../../../core/lib/text.ts'
import { hasEnded, type Sale, type SaleDefinition, saleDefinition } from '../../../core/sale/sale.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { createApp, forShoppers } from '../../../functions/lib/http/app.ts'
import { formatCount } from '../../../proof/bench/statistics.ts'
import type { ProofsSeam } from '../../../proof/seams.ts'
import { addShopper } from '../../../proof/simulation/actors/arrivals.ts'
import { sendCommandUntilFinal } from '../../../proof/simulation/actors/marketer.ts'
import { runSchedule, scheduleEveryMs } from '../../../proof/simulation/actors/reconcile.ts'
import { drawIntent, runShopper } from '../../../proof/simulation/actors/shopper.ts'
import { drawFaultProfile, endFaults, type FaultProfile } from '../../../proof/simulation/engine/faults.ts'
import type { Random } from '../../../proof/simulation/engine/random.ts'
import type { OptionParts, PlayedOption, SimulatedOption } from '../../../proof/simulation/option.ts'
import { forwardedRequest, member, sendRequest } from '../../../proof/simulation/parts/requests.ts'
import { drawVariants, lastsMs, withVariants } from '../../../proof/simulation/sale.ts'
import type { World } from '../../../proof/simulation/world.ts'
import { earliestDrawStart, minClaimMs } from '../core/fields.ts'
import { advanceDraws } from '../functions/advance-draws.ts'
import { entryRoutes } from '../functions/entries/handlers.ts'
import { functions } from '../system/functions.ts'
import { checkDrawn, countDraw, pendingDraw, watchDraw } from './draw-check.ts'
import { foundBy, mutations } from './mutations.ts'
import { drawRush } from './rush.ts'
import { type DrawWorld, openPlayedDraw, storeDrawKeys } from './simulated-draws.ts'

const simulated: SimulatedOption<World> = {
  name: 'draw',
  flag: 'draw the units of every sale of goods or coupons, and split none',
  ...{ rate: 0.25, stream: 0xd4a3 },
  // Some of these pay late in the checkout of the shop, while others have offers.
  checkoutRate: 0.5,
  open: playDraw,
  rowOf: ({ decided = 0, offers = 0 }) => [
    'draws',
    `${formatCount(decided)} with ${counted(offers, 'offer', formatCount(offers))}`,
  ],
  checked: [
    [
      'draws',
      'what is published and every receipt agree; units are offered by rank, each once; shoppers without an offer buy',
    ],
    ['', 'nothing; a unit that is offered is sold to no other shopper; a void draw offers nothing'],
  ],
}

export const proofs = { simulated, mutations, foundBy, rush: drawRush } satisfies ProofsSeam

function playDraw(parts: OptionParts): PlayedOption<World> {
  const { random, seed, truth, saleId } = parts
  const drawFaults = pickDrawFaults(random)
  const own = openPlayedDraw(parts)
  return {
    prepare: () => storeDrawKeys(truth.table, saleId, seed),
    vary: (sale) => withDraw(random, sale),
    start: (world, definition) => openDrawnSale({ ...world, ...own }, definition, drawFaults),
    watch: (world) => watchDraw({ ...world, ...own }),
    faultProfile: drawnFaultProfile,
    // Offers are bought, expire and follow each other for minutes.
    ...{ faultsMs: [300_000, 900_000], incidentsWithinMs: 600_000 },
    // Together with the rate of all sales, four of ten buyers with an offer never pay.
    forgetRate: 0.2,
    onAdmitted: own.entries.letIn,
    checkAtRest: (world) => checkDrawn({ ...world, ...own }),
    pendingWork: (world, sale) => pendingDraw({ ...world, ...own }, sale),
    counts: (world) => countDraw({ ...world, ...own }),
  }
}

/** The rules of a draw are published within this time, also with faults. */
const untilEntriesMs = 180_000

/**
 * Adds a draw to a sale: few units, one for each shopper, sometimes of variants. Closes are a quarter of a minute apart, so
 * that few rounds of the beacon are needed: signing them is the slowest part.
 */
function withDraw(random: Random, sale: SaleDefinition): SaleDefinition {
  const opensAt = sale.startsAt + untilEntriesMs
  const closesAt = opensAt + 15_000 * random.whole(4, 8)
  const commitSeconds = random.pick([60, 300, 300, 600, 600, 600])
  const waitSeconds = random.pick([0, 30, 120])
  const startsAt = earliestDrawStart({ closesAt, commitSeconds }) + 1000 * waitSeconds
  const claimSeconds = minClaimMs / 1000 + waitSeconds + random.whole(0, 90)
  const units = { stock: random.whole(1, 4), shards: 1, limitPerShopper: 1, maxPerOrder: 1, windows: [] }
  const times = { startsAt, endsAt: startsAt + lastsMs, paymentWindowSeconds: random.whole(10, 120) }
  const draw = { opensAt, closesAt, commitSeconds, claimSeconds }
  const drawn = saleDefinition.parse({ ...sale, ...units, ...times, draw })
  return withVariants(random, drawn, { ids: sale.kind === 'goods' ? drawVariants(random, undefined) : [], more: 0 })
}

/** `beaconLateMs` is infinite for an unreachable beacon. With `isCutOff` no file can be written from the close to the round. */
type DrawFaults = { beaconLateMs: number; isCutOff: boolean }

function pickDrawFaults(random: Random): DrawFaults {
  const late = random.spread(1000, 200_000)
  const beaconLateMs = random.pick([0, 0, 0, 0, 0, late, late, late, late, Number.POSITIVE_INFINITY])
  return { beaconLateMs, isCutOff: random.chance(0.08) }
}

/** A run of the schedule takes dozens of steps, so with more faults no draw would be decided. */
const maxFaultRate = 0.07

function drawnFaultProfile(random: Random): FaultProfile {
  const drawn = drawFaultProfile(random)
  return { ...drawn, rate: Math.min(drawn.rate, maxFaultRate) }
}

/** Limits of the entrants, and of the polls of each for an offer. */
const maxEntrants = 8
const maxPolls = 60

/** Warms the sale, lets shoppers enter its draw, and resolves at its start. */
async function openDrawnSale(
  world: DrawWorld,
  definition: SaleDefinition,
  { beaconLateMs, isCutOff }: DrawFaults,
): Promise<void> {
  const { simulation, saleId, draws } = world
  const { serve, spawn, sleep, now, profile, random } = simulation
  draws.lateMs = beaconLateMs
  await sendCommandUntilFinal(world, 'sales', definition)
  while (!(await world.sale()).warmed) await sendCommandUntilFinal(world, `sales/${saleId}/warm`)
  while ((await world.sale()).flag !== 'on') await sendCommandUntilFinal(world, `sales/${saleId}/start`, { now: false })
  serve('draws', () => runDraws(world, functions.scheduled.draws.rate.input.runMs))
  serve('schedule', () => runSchedule(world))
  const until = (time: number) => sleep(Math.max(0, time - now()))
  const { startsAt, draw } = await world.sale()
  if (draw === undefined) throw new Error('a drawn sale needs a draw')
  const { opensAt, closesAt, commitSeconds } = draw
  await until(opensAt - 5000)
  Object.assign(profile, drawnFaultProfile(random))
  for (let left = random.whole(2, maxEntrants); left > 0; left -= 1) {
    const shopperId = world.newShopper()
    spawn(shopperId, () => runEntrant(world, shopperId, closesAt))
  }
  if (isCutOff) {
    await until(closesAt - random.spread(1, 5000))
    profile.unavailable.add('site')
    await until(closesAt + 1000 * commitSeconds)
  }
  await until(startsAt)
  endFaults(profile)
}

async function runEntrant(world: DrawWorld, shopperId: ShopperId, closesAt: number): Promise<void> {
  const { random, sleep, now } = world.simulation
  // Most enter right before the close, and some too late.
  const comesAt = closesAt + (random.chance(0.3) ? -random.spread(15_000, 60_000) : random.whole(-15_000, 2000))
  await sleep(Math.max(0, comesAt - now()))
  await enter(world, shopperId)
  while (random.chance(0.3)) {
    await sleep(random.spread(100, 10_000))
    if (await changeEntryUntilFinal(world, shopperId, 'DELETE')) {
      await sleep(random.spread(100, 5000))
      if (random.chance(0.7)) await enter(world, shopperId)
    }
  }
  await sleep((await world.sale()).startsAt - now())
  await awaitOffer(world, shopperId)
}

/** Enters for one of the variants, if there are any. */
async function enter(world: DrawWorld, shopperId: ShopperId): Promise<void> {
  const { variants } = await world.sale()
  const body = variants && { variant: world.simulation.random.pick(variants).id }
  await changeEntryUntilFinal(world, shopperId, 'PUT', body)
}

/** Polls for an offer and buys. A shopper who lets the offer expire may click afterwards. */
async function awaitOffer(world: DrawWorld, shopperId: ShopperId): Promise<void> {
  const { random, sleep, now } = world.simulation
  const letsPass = random.chance(0.3)
  for (let polls = 0; polls < maxPolls; polls += 1) {
    await sleep(random.spread(1000, 60_000))
    const sale = await world.sale()
    if (hasEnded(sale, now())) return
    const seen = await sendEntry(world, shopperId, 'GET')
    if (seen?.statusCode !== 200) continue
    const [place, offer] = [member(seen, 'place'), member(seen, 'offer')]
    if (offer !== undefined && !letsPass)
      return runShopper(world, intentOn(world, sale, shopperId, member(seen, 'variant')))
    const isOver = offer === undefined && isOffered(place)
    if (isOver) return addShopper(world, sale, { isHurried: true, shopperId })
  }
}

const isOffered = (place: unknown) => typeof place === 'object' && place !== null && 'offered' in place

/** Returns the intent to buy the offered unit. Some use the checkout of the shop and pay there too late. */
function intentOn(world: DrawWorld, sale: Sale, shopperId: ShopperId, variant: unknown) {
  const { random } = world.simulation
  const intent = drawIntent(world, shopperId, sale)
  return {
    ...intent,
    ...{ quantity: 1, arrivesAfterMs: 1, keys: 1, patience: random.pick([6, 12, 30]), changesVariant: false },
    ...(typeof variant === 'string' && { variant }),
    ...(random.chance(0.2) && { afterwards: 'pays late' as const }),
  }
}

/** Runs the function once a minute for `forMs`, and sometimes twice at once, like all schedules. */
async function runDraws({ simulation, drawFunctions }: DrawWorld, forMs: number): Promise<void> {
  const { sleep, serve, random, now, profile } = simulation
  const run = async () => {
    const until = now() + forMs
    await drawFunctions.draws.run((ports) => advanceDraws(ports, until))
  }
  for (;;) {
    const times = profile.rate > 0 && random.chance(0.1) ? 2 : 1
    for (let time = 0; time < times; time += 1) serve('draws', run)
    await sleep(scheduleEveryMs)
  }
}

type Method = 'GET' | 'PUT' | 'DELETE'

/** Limit of the tries of one change. */
const maxTries = 60

/** Repeats the change until it is accepted or finally refused; true when accepted. `body` is the body of an entry. */
async function changeEntryUntilFinal(
  world: DrawWorld,
  shopperId: ShopperId,
  method: 'PUT' | 'DELETE',
  body: object = {},
): Promise<boolean> {
  const { random, sleep } = world.simulation
  const { entrants } = world.entries
  entrants.set(shopperId, 'unsure')
  for (let tries = 0; tries < maxTries; tries += 1) {
    const answer = await sendEntry(world, shopperId, method, method === 'PUT' ? body : undefined)
    if (answer?.statusCode === 200) {
      if (member(answer, 'receipt') !== undefined) entrants.set(shopperId, method === 'PUT' ? 'in' : 'out')
      return true
    }
    const reason = answer?.statusCode === 409 ? member(answer, 'reason') : undefined
    if (reason !== undefined && reason !== 'entries-not-open') return false
    await sleep(random.spread(500, 10_000))
  }
  return false
}

function sendEntry(
  { simulation, drawFunctions, saleId, entries }: DrawWorld,
  shopperId: ShopperId,
  method: Method,
  body?: object,
): Promise<HttpAnswer | undefined> {
  const request = forwardedRequest(shopperId, method, `/api/entries/${saleId}`, body)
  return sendRequest(
    simulation,
    drawFunctions.entries,
    (ports) => createApp(ports, entryRoutes, forShoppers),
    request,
    (answer) => {
      const receipt = answer.statusCode === 200 ? member(answer, 'receipt') : undefined
      if (typeof receipt === 'string') entries.receipts.add(receipt)
    },
  )
}
