/**
 * A million losing requests in ten seconds to a sale of a thousand units, through many instances of
 * the gate: their cost in Redis commands, function calls and processor time, and whether exactly
 * the stock is sold. `--gates` changes the number of instances.
 *
 * The ten seconds are virtual: the clock of the gates moves by 10 µs with each request, so the
 * result does not depend on the speed of the machine. Everything behind the gates has the real
 * time.
 */
import { setImmediate as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { dist } from '../build.ts'
import { controlClient } from '../cli/control-client.ts'
import { fetchPass, type ShopperSession, sessionHeaders } from '../cli/pass.ts'
import { startStep } from '../cli/progress.ts'
import { configHeader, encodeConfig, parseConfig } from '../edge/config.ts'
import { openEdgeClock } from '../local/cdn/edge-times.ts'
import { loadViewerFunction, viewerEvent } from '../local/cdn/viewer-function.ts'
import type { EdgeSide, Stack } from '../local/stack.ts'
import { type CountedStore, startCountedStore } from './fleet/counted-store.ts'
import { type Answered, type Fleet, openFleet } from './fleet/fleet.ts'
import { losingTime } from './losing-time.ts'
import type { Measurement } from './measurement.ts'
import { type MillionResult, millionReport } from './million/report.ts'
import { moveVirtualClock, startVirtualClock } from './million/virtual-clock.ts'
import { withOwnSystem } from './own-system.ts'
import { readProcessorTime } from './processor-time.ts'
import { type OpenSale, openGoodsSale } from './rush/open-sale.ts'
import { type AnsweredReservation, judge } from './rush/verdict.ts'
import { queued, waitForOrders } from './rush/wait-for-rest.ts'
import { seededRandom } from './statistics.ts'
import type { System } from './system.ts'

const losingRequests = 1_000_000
const virtualSeconds = 10
const msPerRequest = (virtualSeconds * 1000) / losingRequests
const stock = 1000
const shoppers = 20_000
/** Requests in flight at once, over all instances. */
const concurrency = 256
const seed = 20_261_120

/** The instances of the gate unless the command names another number. */
export const usualGates = 64

/** Orders are still written a little after the last request. */
const settleMs = 150_000

type Person = ShopperSession & { shopperId: string; address: string; key: string }

/** `gates` is the number of instances. */
export function measureMillion(gates: number): Promise<Measurement> {
  return withOwnSystem(async (system, stack) => {
    const store = await startCountedStore(gateUrlOf(stack.edge))
    try {
      return millionReport({ ...(await play(system, stack, store, gates)), stock, gates })
    } finally {
      await store.stop()
    }
  })
}

async function play(
  system: System,
  stack: Stack,
  store: CountedStore,
  gates: number,
): Promise<Omit<MillionResult, 'stock' | 'gates'>> {
  const random = seededRandom(seed)
  const file = fileURLToPath(new URL('./million/gate.ts', import.meta.url))
  const fleet = await openFleet(withGateUrl(stack.edge, store.url), gates, random, file)
  const people = await gather(stack)
  const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
  const sale = await openGoodsSale(system.url, control, { stock, quantity: 1, limitPerShopper: 1 })
  const read = async () => ({
    ...(await system.counters()),
    processors: readProcessorTime(),
    gate: fleet.time(),
  })
  startVirtualClock()
  const before = await read()
  const crowd = await sendAll(fleet, sale, people, random)
  const after = await read()
  const live = await waitForOrders(system, control, sale.saleId, { settleMs, startStep })
  if (live === undefined) throw new Error('the system did not recover: nothing can be checked')
  const verdict = judge({
    stock,
    shoppers,
    quantity: 1,
    limitPerShopper: 1,
    snapshot: await system.stockSnapshot(sale.saleId),
    orders: await system.orders(sale.saleId),
    answered: crowd.winners,
    unseen: [],
    queued: queued(live),
    deadLetters: live.deadLetters ?? Number.NaN,
    shownLeft: live.stock?.available ?? Number.NaN,
    refusedWithLeft: undefined,
  })
  const { preGate } = await timePreGate(sale, people)
  const none = { calls: 0, timed: 0, us: 0 }
  return {
    verdict,
    ...crowd,
    virtualSeconds,
    functionCalls: (after.invocations.reserve ?? 0) - (before.invocations.reserve ?? 0),
    gateCommands: store.counts,
    redisByCommand: new Map(
      [...after.redisByCommand].map(([name, count]) => [
        name,
        count - (before.redisByCommand.get(name) ?? 0),
      ]),
    ),
    time: losingTime(
      { edge: { preGate: none, gate: before.gate }, processors: before.processors },
      {
        edge: { preGate: { ...preGate, calls: crowd.losing }, gate: after.gate },
        processors: after.processors,
      },
      crowd.losing,
    ),
  }
}

/** The same settings with another address of the gate's store: the last value of a name counts. */
function withGateUrl({ settings, forward }: EdgeSide, gateUrl: string): EdgeSide {
  return { forward, settings: { [configHeader]: `${settings[configHeader]}~${encodeConfig({ gateUrl })}` } }
}

function gateUrlOf({ settings }: EdgeSide): string {
  const parsed = parseConfig(['localhost', settings[configHeader]])
  if (!parsed.ok) throw new Error(`the gate's settings are not usable: ${parsed.problems.join(', ')}`)
  return parsed.config.gateUrl
}

/** The fleet has no pre-gate, so it reads the same clicks afterwards. */
async function timePreGate({ saleId }: OpenSale, people: readonly Person[]) {
  const clock = openEdgeClock()
  const run = clock.preGate(await loadViewerFunction(`${dist}/edge/pre-gate.js`))
  for (const person of people) {
    const { address } = person
    const headers = { ...headersOf(person), 'content-length': '60' }
    const rawHeaders = Object.entries(headers).flat()
    run(viewerEvent({ ip: address, method: 'POST', url: `/api/sales/${saleId}/orders`, rawHeaders }))
  }
  return clock.read()
}

function headersOf(person: Person): Record<string, string> {
  return { ...sessionHeaders(person), 'content-type': 'application/json', 'idempotency-key': person.key }
}

async function gather(stack: Stack): Promise<Person[]> {
  const step = startStep('signing in', shoppers)
  const people: Person[] = []
  for (let i = 0; i < shoppers; i += 1) {
    const shopperId = `shopper-${i}`
    const address = `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
    const token = await stack.token(shopperId)
    people.push({ shopperId, token, pass: await fetchPass(stack.url, token), address, key: `million-${i}` })
    step.to(people.length)
  }
  step.end()
  return people
}

type Crowd = { winners: AnsweredReservation[]; answers: Map<string, number>; losing: number; seconds: number }

/**
 * Shoppers send requests in random order, without the pauses they are asked for, until
 * `losingRequests` of them have lost.
 */
async function sendAll(
  fleet: Fleet,
  { saleId, startToken }: { saleId: string; startToken: string },
  people: readonly Person[],
  random: () => number,
): Promise<Crowd> {
  const step = startStep('buying', losingRequests)
  const body = JSON.stringify({ quantity: 1, startToken })
  const crowd: Crowd = { winners: [], answers: new Map(), losing: 0, seconds: 0 }
  const won = new Set<string>()
  const from = performance.now()

  async function send(person: Person): Promise<void> {
    const { shopperId, address } = person
    moveVirtualClock(msPerRequest)
    const answer = await fleet.send({
      method: 'POST',
      uri: `/api/sales/${saleId}/orders`,
      headers: headersOf(person),
      body,
      address,
    })
    crowd.answers.set(answer.code, (crowd.answers.get(answer.code) ?? 0) + 1)
    const isWin = answer.code === 'reserved' || answer.code === 'repeat'
    if (!isWin) crowd.losing += 1
    else if (!won.has(shopperId)) {
      won.add(shopperId)
      crowd.winners.push({ shopperId, quantity: 1, orderId: orderIdOf(answer) })
    }
  }

  async function keepSending(): Promise<void> {
    while (crowd.losing < losingRequests) {
      const person = people[Math.floor(random() * people.length)]
      if (person !== undefined) await send(person)
      if (crowd.losing % 1000 === 0) step.to(crowd.losing, `${crowd.winners.length} won`)
      // An answer from memory returns without a pause; timers and sockets need their turn.
      await pause()
    }
  }

  await Promise.all(Array.from({ length: concurrency }, keepSending))
  crowd.seconds = (performance.now() - from) / 1000
  step.end()
  return crowd
}

function orderIdOf({ body }: Answered): string {
  const found = /"orderId":"([a-z0-9-]+)"/.exec(body)?.[1]
  if (found === undefined) throw new Error('a reservation without an order id')
  return found
}
