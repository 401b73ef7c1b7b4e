/**
 * Activity after a sale: staff search orders and change brand, lists and drafts, shoppers read their orders or wallets,
 * tills redeem coupons, and another sale delivers its orders to addresses.
 */
import { redeemApi } from '../../../core/api/shop-calls.ts'
import { parseIdempotencyKey, parseSaleId } from '../../../core/ids.ts'
import { formatCoupon } from '../../../core/orders/coupon.ts'
import { shopAddressHeader, shopKeyHeader } from '../../../core/orders/shop-key.ts'
import type { SaleDefinition } from '../../../core/sale/sale.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { redeemApp } from '../../../functions/orders/redeem.ts'
import { keyOfTill, tills } from '../functions.ts'
import { forwardedRequest, sendRequest } from '../parts/requests.ts'
import { redemptionName } from '../records.ts'
import { openFurtherSale, type World } from '../world.ts'
import { runReader, runWalletReader, sendAddress } from './account.ts'
import { buyUnits, drawIntent, payFor } from './shopper.ts'
import { askConsole, goodsSale, lateMs, runStaff } from './staff.ts'

/** Starts all visitors; each ends by itself. */
export function startVisits(world: World): void {
  const { simulation, kind, shoppers, packets } = world
  const { random, spawn } = simulation
  for (let left = random.whole(1, 3); left > 0; left -= 1) spawn(`staff-${left}`, () => runStaff(world, left))
  const winners = [...packets.claimed.values()].map(({ shopperId }) => shopperId)
  const visitors = kind === 'red-packet' ? winners : shoppers
  for (let left = Math.min(3, visitors.length); left > 0; left -= 1) {
    const shopperId = random.pick(visitors)
    spawn(shopperId, () => (kind === 'red-packet' ? runWalletReader(world, shopperId) : runReader(world, shopperId)))
  }
  if (kind === 'coupon') for (const till of tills) spawn(till, () => runTill(world, till))
  if (kind === 'goods') spawn('sender', () => runParcels(world))
}

/** A code that was never issued. */
const unknownCode = '0'.repeat(20)

/** A till redeems up to six coupons, and undoes some redemptions. Two tills may use the same coupon. */
async function runTill(world: World, till: string): Promise<void> {
  const { simulation, truth, saleId, newKey } = world
  const { random, sleep } = simulation
  for (let left = random.whole(2, 6); left > 0; left -= 1) {
    await sleep(random.spread(10, 5000))
    // Few codes, so that tills conflict.
    const codes = truth.orders(saleId).flatMap(({ coupons = [] }) => coupons.slice(0, 1))
    const code = codes.length === 0 || random.chance(0.05) ? unknownCode : formatCoupon(random.pick(codes))
    const key = newKey()
    const redeemed = await change(world, till, { code, key, verb: 'redeem' })
    if (redeemed.statusCode !== 200 || random.chance(0.6)) continue
    await sleep(lateMs)
    await change(world, till, { code, key, verb: 'undo' })
  }
}

type Change = { code: string; key: string; verb: 'redeem' | 'undo' }

/** Returns the final answer. Every answer is recorded, also a lost one. */
async function change(world: World, till: string, { code, key, verb }: Change): Promise<HttpAnswer> {
  const { simulation, functions } = world
  const headers = { [shopKeyHeader]: keyOfTill(till), [shopAddressHeader]: '203.0.113.7', 'idempotency-key': key }
  const request = forwardedRequest(undefined, 'POST', `/api/control/coupons/${code}/${verb}`, {}, headers)
  for (;;) {
    const answer = await sendRequest(simulation, functions.orderChanges, redeemApp, request, (given) =>
      recordRedemption(world, till, key, given),
    )
    if (answer !== undefined && answer.statusCode < 500) return answer
    await simulation.sleep(simulation.random.spread(200, 5000))
  }
}

function recordRedemption({ visits, violated }: World, till: string, text: string, answer: HttpAnswer): void {
  const key = parseIdempotencyKey(text)
  if (answer.statusCode !== 200 || key === undefined) return
  const { orderId, code, redeemedAt, undoneAt } = redeemApi.redeem.answer.parse(JSON.parse(answer.body))
  const name = redemptionName({ till, key, code })
  const before = visits.redemptions.get(name)
  if (before !== undefined && (before.redeemedAt !== redeemedAt || before.orderId !== orderId)) {
    violated(`${name} was redeemed at ${before.redeemedAt} and then at ${redeemedAt} (I5)`)
  }
  const isUndone = undoneAt !== undefined || before?.isUndone === true
  visits.redemptions.set(name, { orderId, code, till, key, redeemedAt, isUndone })
}

/** Creates and starts a sale with delivery, and sells its few units. */
async function runParcels(world: World): Promise<void> {
  const { simulation, visits, newShopper } = world
  const { random, spawn, sleep, now } = simulation
  const definition = await parcelsOf(world)
  const { saleId } = definition
  const other = openFurtherSale(world, saleId)
  await askConsole(world, 'sales', { method: 'POST', body: definition })
  visits.sales.set(saleId, true)
  world.others.push(other)
  const started = await askConsole(world, `sales/${saleId}/start`, { method: 'POST', body: { now: true } })
  if (started.statusCode !== 200) return world.violated(`${saleId} was not started: ${started.body} (console)`)
  const sale = await other.sale()
  for (let left = definition.stock + 2; left > 0; left -= 1) {
    const intent = { ...drawIntent(other, newShopper(), sale), patience: 6, arrivesAfterMs: random.spread(1, 5000) }
    const { shopperId } = intent
    spawn(shopperId, async () => {
      await sleep(intent.arrivesAfterMs)
      const orderId = await buyUnits(other, intent, 'key')
      if (orderId === undefined) return
      // Some enter no address and cannot pay; others return too late.
      const leavesAt = now() + random.spread(1000, 30_000)
      const isKept = random.chance(0.8) && (await sendAddress(other, shopperId, orderId))
      if (now() < leavesAt || isKept) await payFor(other, intent, orderId)
    })
  }
}

async function parcelsOf(world: World): Promise<SaleDefinition> {
  const saleId = parseSaleId(`sent-${world.saleId}`)
  if (saleId === undefined) throw new Error('a sale needs an id')
  const { whole } = world.simulation.random
  const paying = { paymentWindowSeconds: whole(30, 900), paymentGraceSeconds: 30 }
  return goodsSale(world, saleId, { stock: whole(2, 4), delivery: { countries: ['DE', 'CN'] }, ...paying })
}
