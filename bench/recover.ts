/**
 * The stock's Redis loses everything when half of a big sale is sold and the crowd is still clicking; then `recover` is called.
 * How long nobody can buy, and whether afterwards every unit has exactly one owner. Twice: alone, and while another sale sends
 * messages all the time, so that the queue of orders, which all sales share, is never empty.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { controlClient } from '../cli/control-client.ts'
import { startStep } from '../cli/progress.ts'
import type { Measurement } from './measurement.ts'
import { withOwnSystem } from './own-system.ts'
import { type Line, memberOf, openLine } from './rush/http.ts'
import { openSale, readStartToken } from './rush/open-sale.ts'
import { queued } from './rush/settle.ts'
import { judge, type Promised, type Verdict } from './rush/verdict.ts'
import { signInAll } from './sign-in.ts'
import type { System } from './system.ts'

const soldBeforeTheLoss = 10_000
const stock = 2 * soldBeforeTheLoss
const shoppers = stock + 500
const connections = 64
const targetSeconds = 10
const settleMs = 60_000

type Crowd = { wins: Promised[]; firstWinAfter: (at: number) => number | undefined }

export async function measureRecover(): Promise<Measurement> {
  const alone = await withOwnSystem((system) => play(system, { isBusy: false }))
  const busy = await withOwnSystem((system) => play(system, { isBusy: true }))
  return { name: 'recover', lines: [...linesOf('alone', alone), ...linesOf('beside a busy sale', busy)] }
}

/** Messages a second of the other sale. */
const otherRate = 33

type Played = { soldAtLoss: number; callSeconds: number; unavailableSeconds: number; verdict: Verdict }

async function play(system: System, { isBusy }: { isBusy: boolean }): Promise<Played> {
  const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
  const names = Array.from({ length: shoppers }, (_, i) => `r-${i}`)
  const tokens = await signInAll(system, names, startStep)
  const { saleId } = await openSale(system.url, control, { stock, quantity: 1, limitPerShopper: 1 })
  const line = openLine(system.url, connections)
  const others = isBusy ? await sellAnother(system, control) : undefined
  const step = startStep('selling', stock)
  const crowd = openCrowd()
  const half = Promise.withResolvers<void>()
  const everybody = buyAll(system.url, saleId, line, names, tokens, (promised) => {
    crowd.won(promised)
    step.to(crowd.wins.length)
    if (crowd.wins.length === soldBeforeTheLoss) half.resolve()
  })
  await half.promise
  await system.loseStock()
  const lostAt = performance.now()
  const soldAtLoss = crowd.wins.length
  await control.recover(saleId)
  const recoveredAt = performance.now()
  await everybody
  await others?.stop()
  step.end()
  await line.close()
  return {
    soldAtLoss,
    callSeconds: (recoveredAt - lostAt) / 1000,
    unavailableSeconds: ((crowd.firstWinAfter(recoveredAt) ?? Number.NaN) - lostAt) / 1000,
    verdict: await settledVerdict(system, control.live, saleId, crowd.wins),
  }
}

function openCrowd(): Crowd & { won: (promised: Promised) => void } {
  const times: number[] = []
  const wins: Promised[] = []
  return {
    wins,
    firstWinAfter: (at) => times.find((time) => time > at),
    won(promised) {
      wins.push(promised)
      times.push(performance.now())
    },
  }
}

/** Everybody clicks until the answer is final; whoever is told that the page is old looks for the new token. */
async function buyAll(
  url: string,
  saleId: string,
  line: Line,
  names: readonly string[],
  tokens: readonly string[],
  won: (promised: Promised) => void,
): Promise<void> {
  const page = openPage(url, saleId)
  await Promise.all(
    names.map(async (shopperId, i) => {
      for (;;) {
        const body = { quantity: 1, startToken: await page.token() }
        const { reply } = await line.post(`/api/sales/${saleId}/orders`, tokens[i] ?? '', body, 'one')
        const orderId = memberOf(reply?.body, 'orderId')
        if (reply !== undefined && reply.status < 300 && typeof orderId === 'string') {
          return won({ shopperId, orderId, quantity: 1 })
        }
        if (memberOf(reply?.body, 'code') === 'sold-out') return
        page.forget()
        await sleep(250 + 500 * Math.random())
      }
    }),
  )
}

/** The start token as a page knows it: fetched once for the whole crowd, and again when somebody found it old. */
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
  live: ReturnType<typeof controlClient>['live'],
  saleId: string,
  promises: Promised[],
): Promise<Verdict> {
  const deadline = performance.now() + settleMs
  let numbers = await live(saleId)
  while (performance.now() < deadline && !(numbers.orders.sold === stock && queued(numbers) === 0)) {
    await sleep(250)
    numbers = await live(saleId)
  }
  // Orders that arrived after the reopening get their holds from the comparison.
  await system.reconcile()
  return judge({
    stock,
    shoppers,
    quantity: 1,
    limitPerShopper: 1,
    books: await system.books(saleId),
    orders: await system.orders(saleId),
    promises,
    unseen: [],
    queued: queued(numbers),
    deadLetters: numbers.deadLetters ?? Number.NaN,
    shownLeft: 0,
    refusedWithLeft: undefined,
  })
}

/** Sells units of an unlimited sale at a steady rate until `stop`. */
async function sellAnother(
  system: System,
  control: ReturnType<typeof controlClient>,
): Promise<{ stop: () => Promise<void> }> {
  const crowd = Array.from({ length: 4000 }, (_, i) => `other-${i}`)
  const tokens = await signInAll(system, crowd, startStep)
  const { saleId } = await openSale(system.url, control, { stock: -1, quantity: 1, limitPerShopper: 1 })
  const startToken = await readStartToken(system.url, saleId)
  const line = openLine(system.url, 8)
  let isOver = false
  const selling = (async () => {
    for (const token of tokens) {
      if (isOver) return
      const body = { quantity: 1, startToken }
      void line.post(`/api/sales/${saleId}/orders`, token, body, 'one')
      await sleep(1000 / otherRate)
    }
  })()
  return {
    async stop() {
      isOver = true
      await selling
      await line.close()
    },
  }
}

function linesOf(
  how: string,
  { soldAtLoss, callSeconds, unavailableSeconds, verdict }: Played,
): Measurement['lines'] {
  const { sold, oversold, lost, violations } = verdict
  return [
    {
      what: `${how}: loss to the next unit sold, s (${soldAtLoss} orders promised before)`,
      value: unavailableSeconds.toFixed(1),
      target: `≤ ${targetSeconds}`,
      met: unavailableSeconds <= targetSeconds,
    },
    { what: 'of it, the call of recover, s', value: callSeconds.toFixed(1) },
    { what: 'units sold in the end', value: String(sold), target: String(stock), met: sold === stock },
    {
      what: 'oversold / promises without their order',
      value: `${oversold} / ${lost}`,
      target: '0 / 0',
      met: oversold === 0 && lost === 0,
    },
    {
      what: 'broken invariants',
      value: violations.length === 0 ? 'none' : violations.join('; '),
      target: 'none',
      met: violations.length === 0,
    },
  ]
}
