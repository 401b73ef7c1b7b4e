/**
 * The stock's Redis loses all data when half of a big sale is sold, under full load; then `recover` is called. Measures
 * how long nothing can be bought, and checks that every unit has exactly one owner afterwards. Two runs: alone, and
 * beside another sale that keeps the shared queue of orders busy.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlClient } from '../../cli/control-client.ts'
import { startStep } from '../../cli/progress.ts'
import { runCrowd, signInCrowd } from '../rush/crowd.ts'
import { openHttpClient } from '../rush/http.ts'
import { recoverSale } from '../rush/lost-database.ts'
import { type OpenSale, openGoodsSale, readStartToken } from '../rush/open-sale.ts'
import { purchasesOf } from '../rush/requests.ts'
import type { Verdict } from '../rush/verdict.ts'
import { atMost, exactly, type Measurement } from './harness.ts'
import { judgeAtRest, marketerOf, signInAll, withOwnSystem } from './own-system.ts'
import { seededRandom } from './statistics.ts'
import type { System } from './system.ts'

const soldBeforeTheLoss = 10_000
const stock = 2 * soldBeforeTheLoss
const shoppers = stock + 500
const connections = 64
const targetSeconds = 10
const seed = 20_261_121
/** How long a shopper comes again: longer than all of it takes. */
const patienceMs = 600_000
const restoredWithinMs = 120_000

export async function measureRecover(): Promise<Measurement> {
  const alone = await withOwnSystem((system) => play(system, { isBusy: false }))
  const busy = await withOwnSystem((system) => play(system, { isBusy: true }))
  return { name: 'recover', lines: [...linesOf('alone', alone), ...linesOf('beside a busy sale', busy)] }
}

/** Messages per second of the other sale. */
const otherRate = 33

type Played = { soldAtLoss: number; callSeconds: number; unavailableSeconds: number; verdict: Verdict }

async function play(system: System, { isBusy }: { isBusy: boolean }): Promise<Played> {
  const control = await marketerOf(system)
  const random = seededRandom(seed)
  const crowd = await signInCrowd(system, { shoppers, startStep }, 1, random)
  const sale = await openGoodsSale(system.url, control, { stock, quantity: 1, limitPerShopper: 1 })
  const { saleId } = sale
  const client = openHttpClient(system.url, connections)
  const others = isBusy ? await sellAnother(system, control) : undefined
  const wonAt: number[] = []
  const half = Promise.withResolvers<void>()
  const won = () => {
    if (wonAt.push(performance.now()) === soldBeforeTheLoss) half.resolve()
  }
  let startToken = Promise.resolve(sale.startToken)
  const request = { ...purchasesOf(client, sale, 1), startToken: () => startToken }
  const buying = runCrowd(request, { won }, crowd, { patienceMs, startStep, random })
  await half.promise
  await system.loseStock()
  const lostAt = performance.now()
  const soldAtLoss = wonAt.length
  const recovered = Promise.withResolvers<void>()
  startToken = recovered.promise.then(() => nextStartToken(system.url, sale))
  await recoverSale(control, saleId)
  const recoveredAt = performance.now()
  recovered.resolve()
  const { winners } = await buying
  await others?.stop()
  await client.close()
  const soldAgainAt = wonAt.find((time) => time > recoveredAt) ?? Number.NaN
  return {
    soldAtLoss,
    callSeconds: (recoveredAt - lostAt) / 1000,
    unavailableSeconds: (soldAgainAt - lostAt) / 1000,
    verdict: await judgeAtRest(system, { control, saleId }, { stock, shoppers, answered: winners }, () =>
      untilHoldsAreRestored(system, saleId),
    ),
  }
}

/** That of the sale as it was rebuilt, once the pages have it. */
async function nextStartToken(url: string, { saleId, startToken }: OpenSale): Promise<string> {
  for (;;) {
    const next = await readStartToken(url, saleId)
    if (next !== startToken) return next
    await sleep(100)
  }
}

/** The comparison restores the holds of orders written after the reopening, once none is on its way. */
async function untilHoldsAreRestored(system: System, saleId: string): Promise<void> {
  for (const deadline = performance.now() + restoredWithinMs; performance.now() < deadline; ) {
    await system.reconcile()
    const { holds, booked } = await system.stockSnapshot(saleId)
    if (holds.length >= booked) return
  }
}

/** Sells units of an unlimited sale at a steady rate until `stop`. */
async function sellAnother(system: System, control: ControlClient): Promise<{ stop: () => Promise<void> }> {
  const crowd = Array.from({ length: 4000 }, (_, i) => `other-${i}`)
  const sessions = await signInAll(system, crowd, startStep)
  const units = { stock: -1, quantity: 1, limitPerShopper: 1 }
  const { saleId, startToken } = await openGoodsSale(system.url, control, units)
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
