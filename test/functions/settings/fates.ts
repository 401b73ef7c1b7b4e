/** The outcomes of the orders of a play: some are paid, refunded, cancelled, redeemed, or forgotten. */
import type { OrderId } from '../../../core/ids.ts'
import type { CouponCode } from '../../../core/orders/coupon.ts'
import { holdsUnits, isContested, type Order } from '../../../core/orders/order.ts'
import { receivePaymentEvent } from '../../../functions/orders/payment-events.ts'
import { redeemCoupon, undoRedemption } from '../../../functions/orders/redeem.ts'
import { confirmOrder, releaseOrder } from '../../../functions/orders/reservations.ts'
import { putDelivery } from '../../../functions/table/people/deliveries.ts'
import type { Client } from '../../world/gate.ts'
import { keyOfRequest } from '../../world/tills.ts'
import { expectStatus, type Stage } from './stage.ts'

const undoMs = 3_600_000

async function ordersOf({ own, won }: Stage): Promise<Order[]> {
  const ids = won.flatMap(({ orderId }) => (orderId === undefined ? [] : [orderId]))
  return [...(await own.table.findMany([...new Set(ids)])).values()]
}

/** Some are paid, and some of these refunded; some are cancelled, redeemed, or forgotten until their time is over. */
export async function changeOrders(stage: Stage): Promise<void> {
  const { own, random, won, seen, consumers } = stage
  for (const order of await ordersOf(stage)) {
    const client = won.find(({ orderId }) => orderId === order.orderId)?.client
    if (client === undefined || !holdsUnits(order.status)) continue
    if (order.status === 'awaiting-payment') {
      const fate = random.pick(['pay', 'pay', 'cancel', 'forget'] as const)
      if (fate === 'pay') await pay(stage, client, order)
      if (fate === 'cancel') await cancel(stage, client, order)
      if (fate === 'pay' && random.chance(0.4)) await refund(stage, order)
    } else {
      if (order.coupons !== undefined && order.redemptions === undefined) await redeem(stage, order, order.coupons)
      if (random.chance(0.3)) await refund(stage, order)
    }
  }
  const waiting = (await ordersOf(stage)).filter(({ status }) => status === 'awaiting-payment')
  if (waiting.length === 0) return
  own.clock.now = Math.max(...waiting.map(({ cancelAt }) => cancelAt)) + 1000
  await consumers.ring()
  seen.expired += waiting.length
  for (const { orderId } of waiting) {
    if ((await own.table.find(orderId))?.status !== 'cancelled') stage.violations.push(`${orderId} did not expire`)
  }
}

/** Pays the orders that replaced others, so that the sale can end. */
export async function payRest(stage: Stage): Promise<void> {
  for (const order of await ordersOf(stage)) {
    const client = stage.won.find(({ orderId }) => orderId === order.orderId)?.client
    if (client === undefined || order.status !== 'awaiting-payment') continue
    await pay(stage, client, order)
    if (stage.settings.checkout === 'here' && stage.random.chance(0.3)) await dispute(stage, order)
  }
}

const address = {
  ...{ name: 'Ann', addressLines: ['Torstraße 1'], locality: 'Berlin' },
  ...{ postalCode: '10119', postalCountry: 'DE', phone: '+493080615040' },
}

async function pay(stage: Stage, client: Client, { orderId }: Order): Promise<void> {
  const { own, gate, settings, seen } = stage
  const path = `/api/orders/${orderId}/pay`
  if (settings.delivery !== 'none') {
    const refused = await gate.send(client, 'POST', path, {})
    if (refused.body.field !== 'delivery')
      stage.violations.push(`paid without an address: ${JSON.stringify(refused.body)}`)
    await putDelivery(own.ports, orderId, address, Date.UTC(2100))
  }
  const started = await gate.send(client, 'POST', path, {})
  expectStatus(stage, 200, started)
  if (settings.checkout === 'shop') return payInShop(stage, orderId)
  // The cost of delivery is a part of it since the payment was started.
  const { amount = 0, currency = '' } = (await own.table.find(orderId)) ?? {}
  const data = { paymentId: String(started.body.paymentId), orderId, amount, currency }
  await pass(stage, 'payment.succeeded', data)
  seen.paid += 1
}

/** The shop reports twice, as it does after a lost answer. */
async function payInShop({ own, seen, violations }: Stage, orderId: OrderId): Promise<void> {
  const report = { orderId, shop: 'web', requestId: 'r', reference: `cart of ${orderId}` }
  for (const time of ['first', 'second']) {
    const { kind } = await confirmOrder(own.ports, report)
    if (kind !== 'done') violations.push(`the ${time} confirmation of ${orderId} is ${kind}`)
  }
  seen.paid += 1
}

type Data = { paymentId: string; orderId: OrderId; amount: number; currency: string; disputeId?: string }

type EventType = 'payment.succeeded' | 'payment.disputed' | 'refund.succeeded'

async function pass({ own, random }: Stage, type: EventType, data: Data) {
  const delivery = { eventId: `${type} ${data.paymentId}`, digest: type, receivedAt: own.clock.now }
  // The provider sends an event until it is acknowledged.
  for (let times = random.whole(1, 2); times > 0; times -= 1)
    await receivePaymentEvent(own.ports, { type, data }, delivery)
}

/** The shopper’s bank takes the money back until the dispute is decided. */
async function dispute(stage: Stage, { orderId, amount, currency }: Order): Promise<void> {
  const { own, seen } = stage
  const paymentId = (await own.table.find(orderId))?.payment?.paymentId
  if (paymentId === undefined) throw new Error(`${orderId} has no payment`)
  await pass(stage, 'payment.disputed', { paymentId, orderId, amount, currency, disputeId: `d-${orderId}` })
  seen.disputed += 1
}

async function cancel(stage: Stage, client: Client, { orderId }: Order): Promise<void> {
  expectStatus(stage, 200, await stage.gate.send(client, 'POST', `/api/orders/${orderId}/cancel`, {}))
  stage.seen.cancelled += 1
}

async function refund(stage: Stage, order: Order): Promise<void> {
  const { own, seen, settings } = stage
  const { orderId } = order
  // The bank decides who gets the money.
  if (isContested(order)) return expectStatus(stage, 409, await own.ask('POST', `/orders/${orderId}/refund`))
  if (settings.checkout === 'shop') {
    expectStatus(stage, 409, await own.ask('POST', `/orders/${orderId}/refund`))
    await releaseOrder(own.ports, { orderId, shop: 'web', requestId: 'r' })
    seen.refunded += 1
    return
  }
  expectStatus(stage, 200, await own.ask('POST', `/orders/${orderId}/refund`))
  for (const one of own.provider.asked.filter((asked) => asked.orderId === orderId)) {
    await pass(stage, 'refund.succeeded', { ...one, orderId })
  }
  seen.refunded += 1
}

async function redeem(stage: Stage, { orderId }: Order, codes: readonly CouponCode[]): Promise<void> {
  const { own, seen, violations } = stage
  const ports = { ...own.ports, offers: own.offers, undoMs }
  for (const code of codes) {
    const asked = { code, shop: 'till-1', key: keyOfRequest(`redeem-${code}`) }
    const first = await redeemCoupon(ports, asked)
    const again = await redeemCoupon(ports, { ...asked, key: keyOfRequest('another') })
    const undone = await undoRedemption(ports, asked)
    const kinds = [first, again, undone].map(({ kind }) => kind).join()
    if (kinds !== 'done,refused,done') violations.push(`${code} of ${orderId}: ${kinds}`)
    seen.redeemed += 1
  }
}
