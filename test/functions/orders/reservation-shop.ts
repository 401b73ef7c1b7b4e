/** A shop whose orders are paid in a checkout of its own. */
import { createLocalJWKSet, exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify } from 'jose'
import { expect } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { jwksPath } from '../../../core/orders/shop-key.ts'
import { signingKey } from '../../../functions/lib/session-token.ts'
import { cancelUnpaid } from '../../../functions/orders/cancel-unpaid.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import { payOrder } from '../../../functions/orders/pay.ts'
import { reservationSigner } from '../../../functions/orders/reservation-token.ts'
import { reservationsApp } from '../../../functions/orders/reservations.ts'
import { digestOfShopKey } from '../../../functions/orders/shop-keys.ts'
import { answerTo } from '../../../proof/simulation/parts/requests.ts'
import type { Commander } from '../../../redis/command.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { openSale } from '../../world/open-sale.ts'
import { keyOf } from '../../world/tills.ts'

const checkoutUrl = 'https://shop.example/cart?lang=en'
export const issuer = 'https://sale.shop.example'

const newPrivateKey = async () =>
  signingKey.parse(await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey))
export const [first, second] = [await newPrivateKey(), await newPrivateKey()]

export async function openShop(redis: Commander, changes: Parameters<typeof openSale>[1] = {}) {
  const own = await openSale(redis, { checkoutUrl, stock: 1, endsAt: 1e12, ...changes })
  const { ports, clock } = own
  const { sign: signReservation, publishKeys } = reservationSigner(own, [first], `${issuer}/`)
  const app = reservationsApp({ ...ports, shopKeys: { web: digestOfShopKey(keyOf('web')) } })

  /** The reservation in the address to which the shopper of the order is sent. */
  async function handOver(orderId: OrderId, shopper = 1): Promise<string> {
    const paying = await payOrder({ ...ports, signReservation }, shopperIdOf(shopper), orderId)
    if (paying.kind !== 'started') throw new Error(paying.kind)
    expect(paying.url).toMatch(/^https:\/\/shop\.example\/cart\?lang=en&reservation=/)
    return new URL(paying.url).searchParams.get('reservation') ?? ''
  }

  async function report(orderId: OrderId, verb: 'confirm' | 'release', body: object, shopKey = keyOf('web')) {
    const answer = await answerTo(app, {
      method: 'POST',
      path: `/api/control/reservations/${orderId}/${verb}`,
      query: new URLSearchParams(),
      headers: { 'x-shop-key': shopKey, 'content-type': 'application/json', 'x-request-id': 'r-1' },
      body: JSON.stringify(body),
    })
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) }
  }

  const confirm = (orderId: OrderId, reference = '#1042') => report(orderId, 'confirm', { reference })
  const release = (orderId: OrderId) => report(orderId, 'release', {})
  const jwks = () => JSON.parse(own.site.objects.get(jwksPath)?.body ?? '{"keys":[]}') as JSONWebKeySet
  /** Verifies a token like a shop, at the time of its clock. */
  const verified = (token: string, audience = 'https://shop.example', known = jwks()) =>
    jwtVerify(token, createLocalJWKSet(known), {
      ...{ issuer, audience, algorithms: ['ES256'], typ: 'reservation+jwt' },
      currentDate: new Date(clock.now),
    })
  /** The time to pay of the order is over, and `by` has given its units back. */
  async function expire(orderId: OrderId, by = ports): Promise<void> {
    clock.now = (await own.find(orderId)).cancelAt
    expect(await cancelUnpaid(by, [orderId], clock.now + 1000)).toMatchObject({ cancelled: 1 })
  }
  /** The queue brings what waits in it. */
  async function deliver(): Promise<void> {
    for (const message of own.queue.messages.splice(0)) {
      const order = newOrder(message, own.sale, clock.now, own.makeCoupons)
      const chunk = [{ order, messageIds: ['m'], limit: own.sale.limitPerShopper, capped: true }]
      expect(await own.book.write(chunk)).toMatchObject({ kind: 'written' })
    }
  }
  return { ...own, publishKeys, handOver, report, confirm, release, jwks, verified, expire, deliver }
}

export const refused = (reason: string) => ({ status: 409, body: { code: 'conflict', reason } })

/** A shop, and an order whose shopper has gone to its checkout. */
export async function handedOver(redis: Commander) {
  const shop = await openShop(redis)
  const orderId = await shop.write(1)
  await shop.handOver(orderId)
  return { shop, orderId }
}
