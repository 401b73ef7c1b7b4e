/** A shopper, who buys, retries while no answer arrives, and then pays, cancels or does nothing. */
import { type OrderId, parseOrderId, type ShopperId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { OrderUnits } from '../../../core/sale/variants.ts'
import { purchaseApp } from '../../../functions/buy/reserve.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { orderChangesApp } from '../../../functions/orders/order-changes-http.ts'
import { ordersApp } from '../../../functions/orders/orders-http.ts'
import type { Random } from '../engine/random.ts'
import { forwardedRequest, member, sendRequest } from '../parts/requests.ts'
import type { SimulatedAdmission, World } from '../world.ts'
import { leaveShop, payInShop } from './cart.ts'
import { admissionHeader, type Sending, sendUntilAnswered, tokenOnPage } from './requests.ts'

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

/**
 * The plan of a shopper. `keys` is the number of idempotency keys that they use, one after the other. With
 * `changesVariant`, a retry may name another variant under the same key.
 */
export type ShopperIntent = Sending &
  OrderUnits & {
    arrivesAfterMs: number
    keys: number
    changesVariant?: boolean
    afterwards: (typeof afterwards)[number]
  }

export function drawIntent({ simulation: { random }, option }: World, shopperId: ShopperId, sale: Sale): ShopperIntent {
  const { maxPerOrder } = sale
  return {
    shopperId,
    // Sometimes one more than allowed.
    ...drawUnits(random, sale, random.whole(1, random.chance(0.05) ? maxPerOrder + 1 : maxPerOrder)),
    arrivesAfterMs: random.spread(1, random.pick([200, 3000, 20_000])),
    keys: random.pick([1, 1, 2, 3]),
    patience: random.pick([1, 3, 6, 12]),
    isDoubled: random.chance(0.2),
    passesGate: random.chance(0.5),
    afterwards: random.pick(afterwards),
    ...(sale.variants !== undefined && { changesVariant: random.chance(0.3) }),
    ...(option !== undefined && random.chance(option.forgetRate) && { afterwards: 'forgets' as const }),
  }
}

/** Runs a shopper, who chooses another variant with each new key. */
export async function runShopper(world: World, intent: ShopperIntent): Promise<void> {
  const { random, sleep } = world.simulation
  await sleep(intent.arrivesAfterMs)
  for (let key = 1; key <= intent.keys; key += 1) {
    const isFirst = key === 1 || intent.variant === undefined
    const wanted = isFirst ? intent : { ...intent, ...drawUnits(random, await world.sale(), intent.quantity) }
    const orderId = await buyUnits(world, wanted, `key-${key}`)
    if (orderId !== undefined) {
      await readCoupons(world, intent.shopperId, orderId)
      await actAfterwards(world, intent, orderId)
      await readCoupons(world, intent.shopperId, orderId)
      if (!random.chance(0.2)) return
    }
    await sleep(random.spread(100, 20_000))
  }
}

/** Buys, and returns the id of the reserved order; undefined when nothing was reserved or no final answer arrived. */
export async function buyUnits(world: World, intent: ShopperIntent, key: string): Promise<OrderId | undefined> {
  const { random } = world.simulation
  const answer = await sendUntilAnswered(world, intent, (pass) => {
    const isOther = intent.changesVariant && random.chance(0.5)
    return isOther ? sendForOtherVariant(world, intent, key, pass) : sendBuyRequest(world, intent, key, pass)
  })
  if (answer === undefined || member(answer, 'quantity') === 0) return undefined
  return parseOrderId(member(answer, 'orderId'))
}

/** Sends the request for another variant. */
async function sendForOtherVariant(
  world: World,
  intent: ShopperIntent,
  key: string,
  pass: SimulatedAdmission,
): Promise<HttpAnswer | undefined> {
  const wanted = drawUnits(world.simulation.random, await world.sale(), intent.quantity)
  // The gate checked the request for the first variant, not this one.
  if (await world.gate.refuses?.(intent.shopperId, wanted.variant)) return undefined
  return sendBuyRequest(world, { ...intent, ...wanted }, key, pass)
}

export async function sendBuyRequest(
  world: World,
  { shopperId, quantity, variant }: Pick<ShopperIntent, 'shopperId' | 'quantity' | 'variant'>,
  key: string,
  pass: SimulatedAdmission,
): Promise<HttpAnswer | undefined> {
  const { simulation, functions, saleId, reservations, unitsLeft } = world
  const startToken = await tokenOnPage(world)
  if (startToken === undefined) return undefined
  const wanted = { quantity, variant }
  const request = forwardedRequest(
    shopperId,
    'POST',
    `/api/sales/${saleId}/orders`,
    { ...wanted, startToken },
    { 'idempotency-key': key, ...admissionHeader(pass) },
  )
  const since = simulation.now()
  return sendRequest(simulation, functions.reserve, purchaseApp, request, (answer) => {
    reservations.record(shopperId, key, answer, wanted)
    if (answer.statusCode === 410 && member(answer, 'code') === 'sold-out') {
      unitsLeft.checkSoldOut(shopperId, wanted, variantIn(answer), since)
    }
  })
}

/** Returns the variant that a refusal names as sold out. */
function variantIn(answer: HttpAnswer): string | undefined {
  const named = member(answer, 'variant')
  return named === undefined ? undefined : String(named)
}

async function actAfterwards(world: World, intent: ShopperIntent, orderId: OrderId): Promise<void> {
  const { random, sleep } = world.simulation
  const thinkingMs = () => sleep(random.spread(100, 10_000))
  const pays = async (how: 'exact' | 'too much' | 'declined') => {
    const payment = await startPayment(world, intent, orderId)
    if (payment === undefined) return undefined
    await thinkingMs()
    if (how === 'declined') world.provider.refuse(payment)
    else world.provider.charge(payment, how === 'too much' ? 1 : 0)
    return payment
  }
  await thinkingMs()
  const sale = await world.sale()
  if (sale.checkoutUrl !== undefined) return actInShop(world, intent, orderId, sale)
  switch (intent.afterwards) {
    case 'pays':
      return void (await pays('exact'))
    case 'pays late': {
      const payment = await startPayment(world, intent, orderId)
      const { paymentWindowSeconds, paymentGraceSeconds } = await world.sale()
      const untilLastMs = 1000 * (paymentWindowSeconds + paymentGraceSeconds)
      // Half of them pay close to the deadline.
      await sleep(
        random.chance(0.5) ? untilLastMs + random.whole(-1500, 500) : random.spread(500, untilLastMs + 30_000),
      )
      if (payment !== undefined) world.provider.charge(payment, 0)
      return
    }
    case 'pays at the second try':
      await pays('declined')
      await thinkingMs()
      return void (await pays('exact'))
    case 'pays twice': {
      const first = await pays('declined')
      await thinkingMs()
      await pays('exact')
      // The page of the first payment was still open.
      if (first !== undefined) world.provider.charge(first, 0)
      return
    }
    case 'pays too much':
      await pays('too much')
      return void (await pays('exact'))
    case 'fails to pay':
      return void (await pays('declined'))
    case 'cancels':
      return cancel(world, intent, orderId)
    case 'pays and cancels':
      await Promise.all([pays('exact'), cancel(world, intent, orderId)])
      return
    case 'forgets':
      return
  }
}

/** The shopper pays in the checkout of the shop or leaves it; some arrive close to the deadline, or later. */
async function actInShop(world: World, intent: ShopperIntent, orderId: OrderId, sale: Sale): Promise<void> {
  const { random, sleep } = world.simulation
  const { afterwards: then } = intent
  if (then === 'forgets') return
  if (then === 'cancels') return cancel(world, intent, orderId)
  if ((await startPayment(world, intent, orderId)) === undefined) return
  if (then === 'pays late') {
    const untilLastMs = 1000 * (sale.paymentWindowSeconds + sale.paymentGraceSeconds)
    await sleep(untilLastMs + random.whole(-1500, 60_000))
  } else await sleep(random.spread(100, 10_000))
  if (then === 'fails to pay') return leaveShop(world, orderId)
  if (then !== 'pays and cancels') return payInShop(world, orderId, { mayReturn: true })
  await Promise.all([payInShop(world, orderId, { mayReturn: false }), cancel(world, intent, orderId)])
}

/** Pays an order as soon as it is written. */
export async function payFor(world: World, intent: ShopperIntent, orderId: OrderId): Promise<void> {
  const payment = await startPayment(world, intent, orderId)
  if (payment === undefined) return
  if ((await world.sale()).checkoutUrl === undefined) world.provider.charge(payment, 0)
  else await payInShop(world, orderId, { mayReturn: false })
}

/** Starts a payment and returns its id; undefined when the shop rejects it. */
async function startPayment(world: World, intent: ShopperIntent, orderId: OrderId): Promise<string | undefined> {
  const answer = await changeOrder(world, intent, orderId, 'pay')
  const paymentId = answer?.statusCode === 200 ? member(answer, 'paymentId') : undefined
  return typeof paymentId === 'string' ? paymentId : undefined
}

async function cancel(world: World, intent: ShopperIntent, orderId: OrderId): Promise<void> {
  await changeOrder(world, intent, orderId, 'cancel')
}

/** Repeats the request until its answer is final. */
async function changeOrder(
  { simulation, functions }: World,
  { shopperId, patience }: ShopperIntent,
  orderId: OrderId,
  action: 'pay' | 'cancel',
): Promise<HttpAnswer | undefined> {
  const { random, sleep, profile } = simulation
  for (let tries = 0; tries < patience; tries += 1) {
    const request = forwardedRequest(shopperId, 'POST', `/api/orders/${orderId}/${action}`, {})
    const answer = await sendRequest(simulation, functions.orderChanges, orderChangesApp, request)
    const isWaiting = answer === undefined || answer.statusCode === 503 || answer.headers['retry-after'] !== undefined
    if (!isWaiting) return answer
    await sleep(profile.rate === 0 ? 100 : random.spread(300, 8000))
  }
  return undefined
}

/** Reads the codes of an order of coupons a few times; does nothing in other sales. */
async function readCoupons(world: World, shopperId: ShopperId, orderId: OrderId): Promise<void> {
  const { simulation, functions, kind, coupons } = world
  const { random, sleep } = simulation
  if (kind !== 'coupon') return
  for (let reads = random.whole(1, 3); reads > 0; reads -= 1) {
    await sleep(random.spread(100, 20_000))
    const request = forwardedRequest(shopperId, 'GET', `/api/orders/${orderId}`)
    await sendRequest(simulation, functions.orders, ordersApp, request, (answer) => coupons.record(orderId, answer))
  }
}

/** Draws a variant: half of the shoppers choose the first, which sells out early. */
export function drawUnits(random: Random, { variants = [] }: Pick<Sale, 'variants'>, quantity: number): OrderUnits {
  const [first, ...others] = variants.map(({ id }) => id)
  if (first === undefined) return { quantity }
  return { quantity, variant: random.chance(0.5) ? first : random.pick(others) }
}
