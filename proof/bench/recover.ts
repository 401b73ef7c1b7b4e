/**
 * The stock's Redis loses all data when half of a big sale is sold, under full load; then `recover` is called. Measures
 * how long nothing can be bought, and checks that every unit has exactly one owner afterwards. Two runs: alone, and
 * beside another sale that keeps the shared queue of orders busy.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlClient, controlClient, type ShopperSession } from '../../cli/control-client.ts'
import { startStep } from '../../cli/progress.ts'
import { type HttpClient, memberOf, openHttpClient } from '../rush/http.ts'
import { openGoodsSale, readStartToken } from '../rush/open-sale.ts'
import { type AnsweredReservation, judge, type RedisStock, type Verdict } from '../rush/verdict.ts'
import { queued } from '../rush/wait-for-rest.ts'
import { atMost, exactly, type Measurement } from './harness.ts'
import { signInAll, withOwnSystem } from './own-system.ts'
import type { System } from './system.ts'

const soldBeforeTheLoss = 10_000
const stock = 2 * soldBeforeTheLoss
const shoppers = stock + 500
const connections = 64
const targetSeconds = 10
const settleMs = 120_000

type Crowd = { wins: AnsweredReservation[]; firstWinAfter: (at: number) => number | undefined }

export async function measureRecover(): Promise<Measurement> {
  const alone = await withOwnSystem((system) => play(system, { isBusy: false }))
  const busy = await withOwnSystem((system) => play(system, { isBusy: true }))
  return { name: 'recover', lines: [...linesOf('alone', alone), ...linesOf('beside a busy sale', busy)] }
}

/** Messages per second of the other sale. */
const otherRate = 33

type Played = { soldAtLoss: number; callSeconds: number; unavailableSeconds: number; verdict: Verdict }

async function play(system: System, { isBusy }: { isBusy: boolean }): Promise<Played> {
  const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
  const names = Array.from({ length: shoppers }, (_, i) => `r-${i}`)
  const sessions = await signInAll(system, names, startStep)
  const { saleId } = await openGoodsSale(system.url, control, { stock, quantity: 1, limitPerShopper: 1 })
  const buyers = sessions.map((session, i) => ({ shopperId: names[i] ?? '', session }))
  const client = openHttpClient(system.url, connections)
  const others = isBusy ? await sellAnother(system, control) : undefined
  const step = startStep('selling', stock)
  const crowd = openCrowd()
  const half = Promise.withResolvers<void>()
  const buying = buyAll(client, { url: system.url, saleId }, buyers, (reservation) => {
    crowd.won(reservation)
    step.to(crowd.wins.length)
    if (crowd.wins.length === soldBeforeTheLoss) half.resolve()
  })
  await half.promise
  await system.loseStock()
  const lostAt = performance.now()
  const soldAtLoss = crowd.wins.length
  await control.recover({ saleId })
  const recoveredAt = performance.now()
  await buying
  await others?.stop()
  step.end()
  await client.close()
  return {
    soldAtLoss,
    callSeconds: (recoveredAt - lostAt) / 1000,
    unavailableSeconds: ((crowd.firstWinAfter(recoveredAt) ?? Number.NaN) - lostAt) / 1000,
    verdict: await settledVerdict(system, control, saleId, crowd.wins),
  }
}

function openCrowd(): Crowd & { won: (reservation: AnsweredReservation) => void } {
  const times: number[] = []
  const wins: AnsweredReservation[] = []
  return {
    wins,
    firstWinAfter: (at) => times.find((time) => time > at),
    won(reservation) {
      wins.push(reservation)
      times.push(performance.now())
    },
  }
}

/**
 * Shoppers retry until the answer is final, as late as they are asked to: the gate refuses who comes
 * back earlier again (G4). After a refusal they fetch the start token again.
 */
async function buyAll(
  client: HttpClient,
  { url, saleId }: { url: string; saleId: string },
  shoppers: readonly { shopperId: string; session: ShopperSession }[],
  won: (reservation: AnsweredReservation) => void,
): Promise<void> {
  const page = openPage(url, saleId)
  await Promise.all(
    shoppers.map(async ({ shopperId, session }) => {
      for (;;) {
        const body = { quantity: 1, startToken: await page.token() }
        const { reply } = await client.post(`/api/sales/${saleId}/orders`, session, body, 'one')
        const orderId = memberOf(reply?.body, 'orderId')
        if (reply !== undefined && reply.status < 300 && typeof orderId === 'string') {
          return won({ shopperId, orderId, quantity: 1 })
        }
        if (memberOf(reply?.body, 'code') === 'sold-out') return
        page.forget()
        const asked = memberOf(reply?.body, 'retryAfterSeconds')
        await sleep((typeof asked === 'number' ? 1000 * asked : 250) + 500 * Math.random())
      }
    }),
  )
}

/** The start token, fetched once for all shoppers, and again at most every 500 ms. */
function openPage(url: string, saleId: string): { token: () => Promise<string>; forget: () => void } {
  let known: Promise<string> | undefined
  let fetchedAt = 0
  return {
    token() {
      if (known === undefined) {
        fetchedAt = performance.now()
        known = readStartToken(url, saleId)
      }
      return known
    },
    forget() {
      if (performance.now() - fetchedAt > 500) known = undefined
    },
  }
}

async function settledVerdict(
  system: System,
  control: ControlClient,
  saleId: string,
  answered: AnsweredReservation[],
): Promise<Verdict> {
  const deadline = performance.now() + settleMs
  let numbers = await control.getLive({ saleId })
  while (performance.now() < deadline && !(numbers.orders.sold === stock && queued(numbers) === 0)) {
    await sleep(250)
    numbers = await control.getLive({ saleId })
  }
  // The comparison restores the holds of orders written after the reopening, once none is on its way.
  let snapshot: RedisStock
  do {
    await system.reconcile()
    snapshot = await system.stockSnapshot(saleId)
  } while (performance.now() < deadline && snapshot.holds.length < snapshot.booked)
  return judge({
    stock,
    shoppers,
    quantity: 1,
    limitPerShopper: 1,
    snapshot,
    orders: await system.orders(saleId),
    answered,
    unseen: [],
    queued: queued(numbers),
    deadLetters: numbers.deadLetters ?? Number.NaN,
    shownLeft: 0,
    refusedWithLeft: undefined,
  })
}

/** Sells units of an unlimited sale at a steady rate until `stop`. */
async function sellAnother(system: System, control: ControlClient): Promise<{ stop: () => Promise<void> }> {
  const crowd = Array.from({ length: 4000 }, (_, i) => `other-${i}`)
  const sessions = await signInAll(system, crowd, startStep)
  const { saleId } = await openGoodsSale(system.url, control, { stock: -1, quantity: 1, limitPerShopper: 1 })
  const startToken = await readStartToken(system.url, saleId)
  const client = openHttpClient(system.url, 8)
  let isOver = false
  const selling = (async () => {
    for (const session of sessions) {
      if (isOver) return
      const body = { quantity: 1, startToken }
      void client.post(`/api/sales/${saleId}/orders`, session, body, 'one')
      await sleep(1000 / otherRate)
    }
  })()
  return {
    async stop() {
      isOver = true
      await selling
      await client.close()
    },
  }
}

function linesOf(how: string, { soldAtLoss, callSeconds, unavailableSeconds, verdict }: Played): Measurement['lines'] {
  const { sold, oversold, lost, violations } = verdict
  return [
    atMost(
      `${how}: loss to the next unit sold, s (${soldAtLoss} orders reserved before)`,
      unavailableSeconds,
      targetSeconds,
      { digits: 1 },
    ),
    { what: 'of it, the call of recover, s', value: callSeconds.toFixed(1) },
    exactly('units sold in the end', sold, stock),
    {
      what: 'oversold / reservations without their order',
      value: `${oversold} / ${lost}`,
      target: '0 / 0',
      met: oversold === 0 && lost === 0,
    },
    {
      what: 'invariants broken',
      value: violations.length === 0 ? 'none' : violations.join('; '),
      target: 'none',
      met: violations.length === 0,
    },
  ]
}
