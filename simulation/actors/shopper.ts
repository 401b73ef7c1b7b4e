/** A shopper: clicks, clicks again when nothing comes back, and then pays, gives back, or forgets about it. */
import { type OrderId, parseOrderId, type ShopperId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import { answerPurchase } from '../../functions/buy/reserve-http.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import { answerOrderChanges } from '../../functions/orders/order-changes-http.ts'
import { ask, member } from '../client.ts'
import type { Dice } from '../engine/dice.ts'
import { requestOf } from '../memory/support.ts'
import type { Pass, World } from '../world.ts'
import { admissionHeader, type Clicking, clickUntilAnswered, tokenOnPage } from './clicks.ts'
import { lookAtCoupons } from './coupon-holder.ts'

const afterwards = [
  'pays',
  'pays',
  'pays',
  'pays late',
  'pays at the second try',
  'pays twice',
  'pays too much',
  'fails to pay',
  'cancels',
  'pays and cancels',
  'forgets',
  'forgets',
] as const

/** What a shopper is going to do. `keys` is how often they try anew after losing. */
export type Intent = Clicking & {
  shopperId: ShopperId
  quantity: number
  arrivesAfterMs: number
  keys: number
  afterwards: (typeof afterwards)[number]
}

export function drawIntent(dice: Dice, shopperId: ShopperId, { maxPerOrder }: Sale): Intent {
  return {
    shopperId,
    // Now and then more than is allowed.
    quantity: dice.whole(1, dice.chance(0.05) ? maxPerOrder + 1 : maxPerOrder),
    arrivesAfterMs: dice.spread(1, dice.pick([200, 3000, 20_000])),
    keys: dice.pick([1, 1, 2, 3]),
    patience: dice.pick([1, 3, 6, 12]),
    clicksTwice: dice.chance(0.2),
    passesGate: dice.chance(0.5),
    afterwards: dice.pick(afterwards),
  }
}

export async function shop(world: World, intent: Intent): Promise<void> {
  const { simulation } = world
  await simulation.sleep(intent.arrivesAfterMs)
  for (let key = 1; key <= intent.keys; key += 1) {
    const orderId = await buy(world, intent, `key-${key}`)
    if (orderId !== undefined) {
      await lookAtCoupons(world, intent.shopperId, orderId)
      await goOn(world, intent, orderId)
      await lookAtCoupons(world, intent.shopperId, orderId)
      if (!simulation.dice.chance(0.2)) return
    }
    await simulation.sleep(simulation.dice.spread(100, 20_000))
  }
}

/** The order of a click that won; undefined for one that lost, or when patience ends before an answer comes. */
export async function buy(world: World, intent: Intent, key: string): Promise<OrderId | undefined> {
  const answer = await clickUntilAnswered(world, intent, (pass) => click(world, intent, key, pass))
  if (answer === undefined || member(answer, 'quantity') === 0) return undefined
  return parseOrderId(member(answer, 'orderId'))
}

export async function click(
  world: World,
  { shopperId, quantity }: Pick<Intent, 'shopperId' | 'quantity'>,
  key: string,
  pass: Pass,
): Promise<HttpAnswer | undefined> {
  const { simulation, functions, saleId, promises } = world
  const startToken = await tokenOnPage(world)
  if (startToken === undefined) return undefined
  const request = requestOf(
    shopperId,
    'POST',
    `/api/sales/${saleId}/orders`,
    { quantity, startToken },
    { 'idempotency-key': key, ...admissionHeader(pass) },
  )
  return ask(
    simulation,
    functions.reserve,
    (ports) => answerPurchase(ports, request),
    (answer) => promises.hear(shopperId, key, answer),
  )
}

async function goOn(world: World, intent: Intent, orderId: OrderId): Promise<void> {
  const { dice, sleep } = world.simulation
  const thinkingMs = () => sleep(dice.spread(100, 10_000))
  const pays = async (how: 'right' | 'wrong' | 'not at all') => {
    const payment = await beginToPay(world, intent, orderId)
    if (payment === undefined) return undefined
    await thinkingMs()
    if (how === 'not at all') world.provider.refuse(payment)
    else world.provider.charge(payment, how === 'wrong' ? 1 : 0)
    return payment
  }
  await thinkingMs()
  switch (intent.afterwards) {
    case 'pays':
      return void (await pays('right'))
    case 'pays late': {
      const payment = await beginToPay(world, intent, orderId)
      const { paymentWindowSeconds, paymentGraceSeconds } = await world.sale()
      const untilLastMs = 1000 * (paymentWindowSeconds + paymentGraceSeconds)
      // At the very end as often as at any time.
      await sleep(
        dice.chance(0.5) ? untilLastMs + dice.whole(-1500, 500) : dice.spread(500, untilLastMs + 30_000),
      )
      if (payment !== undefined) world.provider.charge(payment, 0)
      return
    }
    case 'pays at the second try':
      await pays('not at all')
      await thinkingMs()
      return void (await pays('right'))
    case 'pays twice': {
      const first = await pays('not at all')
      await thinkingMs()
      await pays('right')
      // The page of the first attempt was still open.
      if (first !== undefined) world.provider.charge(first, 0)
      return
    }
    case 'pays too much':
      await pays('wrong')
      return void (await pays('right'))
    case 'fails to pay':
      return void (await pays('not at all'))
    case 'cancels':
      return cancel(world, intent, orderId)
    case 'pays and cancels':
      await Promise.all([pays('right'), cancel(world, intent, orderId)])
      return
    case 'forgets':
      return
  }
}

/** Pays an order at once, as soon as it is written. */
export async function payFor(world: World, intent: Intent, orderId: OrderId): Promise<void> {
  const payment = await beginToPay(world, intent, orderId)
  if (payment !== undefined) world.provider.charge(payment, 0)
}

/** The id of the payment under way; undefined when the shop does not take one. */
async function beginToPay(world: World, intent: Intent, orderId: OrderId): Promise<string | undefined> {
  const answer = await order(world, intent, orderId, 'pay')
  const paymentId = answer?.statusCode === 200 ? member(answer, 'paymentId') : undefined
  return typeof paymentId === 'string' ? paymentId : undefined
}

async function cancel(world: World, intent: Intent, orderId: OrderId): Promise<void> {
  await order(world, intent, orderId, 'cancel')
}

/** Asks until there is an answer that another try would not change. */
async function order(
  { simulation, functions }: World,
  { shopperId, patience }: Intent,
  orderId: OrderId,
  action: 'pay' | 'cancel',
): Promise<HttpAnswer | undefined> {
  const { dice, sleep, weather } = simulation
  for (let tries = 0; tries < patience; tries += 1) {
    const request = requestOf(shopperId, 'POST', `/api/orders/${orderId}/${action}`, {})
    const answer = await ask(simulation, functions.orderChanges, (ports) =>
      answerOrderChanges(ports, request),
    )
    const isWaiting =
      answer === undefined || answer.statusCode === 503 || answer.headers['retry-after'] !== undefined
    if (!isWaiting) return answer
    await sleep(weather.rate === 0 ? 100 : dice.spread(300, 8000))
  }
  return undefined
}
