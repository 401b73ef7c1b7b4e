/**
 * 10,000 orders in the checkout of the shop: confirmations are lost, doubled and late, the shop is down for five minutes,
 * and other shoppers buy what came back.
 */
import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { holdsUnits, type Order } from '../../../core/orders/order.ts'
import { cancelUnpaid } from '../../../functions/orders/cancel-unpaid.ts'
import { changeOrder } from '../../../functions/orders/change-order.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import { releaseUnits } from '../../../functions/orders/release.ts'
import { confirmOrder, type Reported, releaseOrder } from '../../../functions/orders/reservations.ts'
import { dueReleases } from '../../../functions/table/orders/releases.ts'
import { onWire } from '../../../proof/simulation/dynamodb/wire.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'
import { useRedis } from '../../redis/test-store.ts'
import { openSale } from '../../world/open-sale.ts'
import { changesOrders } from '../../world/wire.ts'

const redis = useRedis()
const minuteMs = 60_000
const windowMs = 15 * minuteMs

/** A cart of the shop: what became of its money, and the order that has its units. */
type Cart = { reference: string; paid: boolean; orderId?: OrderId; givenBack?: string }

async function play(stock: number, seed: number) {
  const random = openRandom(seed)
  const own = await openSale(redis, {
    ...{ stock, endsAt: 1e12, checkoutUrl: 'https://shop.example/cart' },
    ...{ paymentWindowSeconds: windowMs / 1000, paymentGraceSeconds: 120 },
  })
  const { clock, sale } = own
  const start = clock.now
  const down = { from: start + 10 * minuteMs, until: start + 15 * minuteMs }
  const seen = { lost: 0, failed: 0, doubled: 0, renewed: 0, over: 0, released: 0, expired: 0, again: 0, due: 0 }
  const carts = new Map<OrderId, Cart>()
  const written: OrderId[] = []
  /** The timers of orders: when each is looked at next, epoch ms. */
  const timers = new Map<OrderId, number>()
  /** What happens next, the latest first. */
  const plan: { at: number; act: () => Promise<void> }[] = []
  const soon = (at: number, act: () => Promise<void>) => {
    let [from, to] = [0, plan.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((plan[middle]?.at ?? 0) > at) from = middle + 1
      else to = middle
    }
    plan.splice(from, 0, { at, act })
  }

  const table = onWire(own.table.table, async (name, send) => {
    if (!changesOrders.test(name)) return send()
    if (random.chance(0.05)) {
      seen.failed += 1
      throw new Error('the table is unavailable')
    }
    const answer = await send()
    if (random.chance(0.05)) {
      seen.lost += 1
      throw new Error('the answer of the table was lost')
    }
    return answer
  })
  const ports = { ...own.ports, table }

  async function write(order: Order): Promise<void> {
    const chunk = [{ order, messageIds: ['m'], limit: sale.limitPerShopper, capped: true }]
    const { kind } = await own.book.write(chunk)
    if (kind !== 'written') throw new Error(`an order is ${kind}`)
    written.push(order.orderId)
    timers.set(order.orderId, order.payBy)
  }

  /** A shopper wins a unit and goes to the shop with it, or forgets it. */
  async function win(shopper: number): Promise<void> {
    const payBy = clock.now + windowMs
    const orderId = await own.write(shopper, 1, { payBy, cancelAt: payBy })
    written.push(orderId)
    timers.set(orderId, payBy)
    if (random.chance(0.15)) return
    await changeOrder(own.ports, orderId, { kind: 'payment-started', graceMs: 120_000, inShop: true })
    const cart: Cart = { reference: `cart ${orderId}`, paid: random.chance(0.9) }
    carts.set(orderId, cart)
    const at = clock.now + random.whole(1, Math.round(windowMs * 1.4))
    soon(at, () => (cart.paid ? confirm(orderId, cart) : release(orderId, cart)))
  }

  /** The shop repeats a report until it has an answer; while it is down, nothing is sent. */
  async function reported(
    orderId: OrderId,
    cart: Cart,
    ask: () => Promise<Reported>,
    done: (answer: Reported) => void,
  ): Promise<void> {
    const later = (ms: number) => void soon(clock.now + ms, () => reported(orderId, cart, ask, done))
    if (clock.now >= down.from && clock.now < down.until) return later(down.until - clock.now)
    const copies = random.chance(0.15) ? 2 : 1
    if (copies > 1) seen.doubled += 1
    const answers = await Promise.allSettled(Array.from({ length: copies }, ask))
    const answer = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))[0]
    // Its answer is lost on the way, or it never came.
    if (answer === undefined || answer.kind === 'not-written' || random.chance(0.15)) return later(2000)
    done(answer)
  }

  const confirm = (orderId: OrderId, cart: Cart) =>
    reported(
      orderId,
      cart,
      () => confirmOrder(ports, { orderId, shop: 'web', requestId: 'r', reference: cart.reference }),
      (answer) => {
        if (answer.kind === 'done') {
          cart.orderId = answer.order.orderId
          if (answer.order.orderId !== orderId) seen.renewed += 1
          // Some customers cancel at the shop, which gives the money back itself.
          if (random.chance(0.05)) soon(clock.now + minuteMs, () => release(answer.order.orderId, cart))
        } else if (answer.kind === 'refused') {
          seen.over += 1
          cart.givenBack = answer.reason
        } else throw new Error(`${orderId} is ${answer.kind}`)
      },
    )

  const release = (orderId: OrderId, cart: Cart) =>
    reported(
      orderId,
      cart,
      () => releaseOrder(ports, { orderId, shop: 'web', requestId: 'r' }),
      (answer) => {
        if (answer.kind !== 'done') throw new Error(`the release of ${orderId} is ${answer.kind}`)
        seen.released += 1
        cart.givenBack = 'released'
        delete cart.orderId
      },
    )

  /** The timers of orders, and the queue of those that were reserved again. */
  async function tick(): Promise<void> {
    for (const message of own.queue.messages.splice(0)) {
      await write(newOrder(message, sale, clock.now, own.drawCoupons))
    }
    const due = [...timers].filter(([, at]) => at <= clock.now).map(([orderId]) => orderId)
    for (const orderId of due) timers.delete(orderId)
    const { cancelled, later } = await cancelUnpaid(own.ports, due, clock.now + 1000)
    for (const { orderId, at } of later) timers.set(orderId, at)
    seen.expired += cancelled
  }

  for (let shopper = 1; shopper <= stock; shopper += 1) await win(shopper)
  let others = stock
  for (let nextTick = start; plan.length > 0 || clock.now < start + 60 * minuteMs; ) {
    const next = plan.at(-1)
    if (next === undefined || next.at > nextTick) {
      clock.now = nextTick
      nextTick += minuteMs / 2
      await tick()
      // Some of what came back is bought by others, so that late confirmations find less.
      const left = stock - ((await own.booked()) ?? stock)
      for (let bought = Math.floor(left / 3); bought > 0; bought -= 1) {
        others += 1
        seen.again += 1
        await win(others)
      }
      continue
    }
    plan.pop()
    clock.now = Math.max(clock.now, next.at)
    await next.act()
  }
  clock.now += 60 * minuteMs
  await tick()
  // What a lost answer of the table left due is finished by `reconcile`.
  seen.due = await releaseUnits(own.ports, sale.saleId, await dueReleases(own.table, sale.saleId))
  const orders = [...(await own.table.findMany(written)).values()]
  return { own, seen, carts, orders, booked: await own.booked(), sold: await own.table.sold(sale.saleId) }
}

describe('10,000 orders in the checkout of a shop, in two sales', () => {
  it.each([1, 2])('have one end each, no unit sold twice and none stranded, seed %i (I1, I2, I4, I5)', async (seed) => {
    const stock = 5000
    const { seen, carts, orders, booked, sold } = await play(stock, seed)
    const standing = orders.filter(({ status }) => holdsUnits(status))
    expect(standing.length).toBeLessThanOrEqual(stock)
    expect(booked).toBe(standing.length)
    expect(sold).toBe(standing.length)
    // 0 stranded: none waits for its payment after the hold.
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['paid', 'cancelled', 'refunded']))
    const byId = new Map(orders.map((order) => [order.orderId, order]))
    const owners = new Map<OrderId, string>()
    for (const { reference, orderId, givenBack } of carts.values()) {
      // Every cart has its units, or its money back.
      expect(
        [orderId, givenBack].filter((end) => end !== undefined),
        reference,
      ).toHaveLength(1)
      if (orderId === undefined) continue
      expect(byId.get(orderId)).toMatchObject({ status: 'paid', payment: { reference } })
      expect(owners.get(orderId), 'no order has two carts').toBeUndefined()
      owners.set(orderId, reference)
    }
    expect(standing.length).toBe(owners.size)
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(20)
  })
})
