/**
 * A million losing requests to a sale of a thousand units, through many instances of the deployed
 * gate: their cost in Redis commands and function calls, and whether exactly the stock is sold.
 */
import { setImmediate as pause } from 'node:timers/promises'
import { controlClient } from '../cli/control-client.ts'
import { startStep } from '../cli/progress.ts'
import type { Stack } from '../local/stack.ts'
import { type Answered, type Fleet, openFleet } from './fleet/fleet.ts'
import type { Measurement } from './measurement.ts'
import { withOwnSystem } from './own-system.ts'
import { openGoodsSale } from './rush/open-sale.ts'
import { type AnsweredReservation, judge } from './rush/verdict.ts'
import { queued, waitForOrders } from './rush/wait-for-rest.ts'
import { seededRandom } from './statistics.ts'

const losingRequests = 1_000_000
const stock = 1000
const instances = 64
const shoppers = 20_000
/** Requests in flight at once, over all instances. */
const concurrency = 256
const seed = 20_261_120

/** Orders are still written a little after the last request. */
const settleMs = 150_000

/** The targets of the design: cost follows the stock, not the number of shoppers. */
const targets = { redisPerLosingRequest: 0.01, functionCallsPerUnit: 1.3 }

/** Redis commands of a winning request: EVALSHA and the three calls inside reserve.lua. */
const commandsPerWin = 4

type Person = { shopperId: string; token: string; address: string; key: string }

export function measureMillion(): Promise<Measurement> {
  return withOwnSystem(async (system, stack) => {
    const random = seededRandom(seed)
    const fleet = await openFleet(stack.edge, instances, random)
    const people = await gather(stack)
    const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
    const sale = await openGoodsSale(system.url, control, { stock, quantity: 1, limitPerShopper: 1 })
    const before = await system.counters()
    const crowd = await sendAll(fleet, sale, people, random)
    const after = await system.counters()
    const live = await waitForOrders(system, control, sale.saleId, { settleMs, startStep })
    if (live === undefined) throw new Error('the system did not recover: nothing can be checked')
    const orders = await system.orders(sale.saleId)
    const verdict = judge({
      stock,
      shoppers,
      quantity: 1,
      limitPerShopper: 1,
      snapshot: await system.stockSnapshot(sale.saleId),
      orders,
      answered: crowd.winners,
      unseen: [],
      queued: queued(live),
      deadLetters: live.deadLetters ?? Number.NaN,
      shownLeft: live.stock?.available ?? Number.NaN,
      refusedWithLeft: undefined,
    })
    return summary(verdict, crowd, {
      redisCommands: after.redisCommands - before.redisCommands,
      functionCalls: (after.invocations.reserve ?? 0) - (before.invocations.reserve ?? 0),
    })
  })
}

async function gather(stack: Stack): Promise<Person[]> {
  const step = startStep('signing in', shoppers)
  const people: Person[] = []
  for (let i = 0; i < shoppers; i += 1) {
    const shopperId = `shopper-${i}`
    const address = `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
    people.push({ shopperId, token: await stack.token(shopperId), address, key: `million-${i}` })
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

  async function send({ shopperId, token, address, key }: Person): Promise<void> {
    const answer = await fleet.send({
      method: 'POST',
      uri: `/api/sales/${saleId}/orders`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
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

function summary(
  verdict: ReturnType<typeof judge>,
  { answers, losing, seconds }: Crowd,
  { redisCommands, functionCalls }: { redisCommands: number; functionCalls: number },
): Measurement {
  const { sold, oversold, violations } = verdict
  const ofLosers = redisCommands - commandsPerWin * sold
  const perClick = ofLosers / losing
  const perUnit = functionCalls / stock
  const unavailable = answers.get('unavailable') ?? 0
  const counts = [...answers].sort(([, a], [, b]) => b - a).map(([code, count]) => `${code} ${count}`)
  return {
    name: 'million',
    lines: [
      {
        what: 'Redis commands ÷ losing requests, those inside scripts included',
        value: perClick.toFixed(4),
        target: `≤ ${targets.redisPerLosingRequest}`,
        met: perClick <= targets.redisPerLosingRequest,
      },
      {
        what: 'calls of reserve ÷ units of stock',
        value: perUnit.toFixed(3),
        target: `≤ ${targets.functionCallsPerUnit}`,
        met: perUnit <= targets.functionCallsPerUnit,
      },
      { what: 'oversold', value: `${oversold}`, target: '0', met: oversold === 0 },
      { what: 'sold', value: `${sold} of ${stock}`, target: `${stock}`, met: sold === stock },
      {
        what: 'invariants broken',
        value: violations.join('; ') || 'none',
        target: 'none',
        met: violations.length === 0,
      },
      {
        what: 'answers `unavailable`, although nothing has failed',
        value: `${unavailable}`,
        target: '0',
        met: unavailable === 0,
      },
      { what: 'losing requests', value: `${losing} over ${instances} instances` },
      { what: 'Redis commands', value: `${ofLosers}, and ${commandsPerWin} for each unit sold` },
      { what: 'calls of reserve', value: `${functionCalls}` },
      { what: 'answers/s', value: `${Math.round((losing + sold) / seconds)}` },
      { what: 'answers', value: counts.join(', ') },
    ],
  }
}
