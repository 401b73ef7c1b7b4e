import { describe, expect, it } from 'vitest'
import { emptyLocation } from '../../local/key-values.ts'
import { openPreGate } from '../pre-gate-visits.ts'
import {
  controlEvent,
  eventOf,
  forwardedOf,
  openGate,
  orderChangeEvent,
  orderId,
  refusalOf,
  saleId,
  saleIdOf,
} from '../support.ts'

const { handler, store, time } = openGate()
const preGate = await openPreGate(emptyLocation())
const headers = { authorization: 'Bearer a.b.c' }

/** The refusals of both tiers: of CloudFront's function, and of the gate where that one lets it through. */
const refusals = async (method: string, uri: string) => [
  await preGate.refusal({ method, uri, headers }),
  refusalOf(await handler(eventOf({ method, uri }))),
]

describe('the path check, in CloudFront and in the gate', () => {
  it.each([
    '/',
    '/api',
    '/api/',
    '/api/sales',
    `/api/sales/${saleId}/orders\n`,
    '/api/sales/%70hone-42/orders',
    '/api/sales/PHONE-42/orders',
    '/api/control/..',
    '/api/control/%2e%2e/orders',
    '/api/time/',
    '/api/wp-login.php',
    '/api/sales//orders',
    '/api/sales/ab/orders',
    `/api/sales/${saleId}`,
    `/api/sales/${saleId}/order`,
    `/api/sales/${saleId}/orders/`,
    `/api/sales/${saleId}/orders/orders`,
    `/api/sales/${saleId}/packet`,
    `/api/sales/${saleId}/packets/`,
    `/api/sales/${saleId}/packets/orders`,
    '/api/sales/packets',
    '/api/sales//packets',
    '/api/wallet/',
    '/api/wallets',
    `//api/sales/${saleId}/orders`,
    `/api//sales/${saleId}/orders`,
    `/api/sales/${saleId}/./orders`,
    `/api/sales/x/../${saleId}/orders`,
    `/api/sales/%70hone-42/orders`,
    `/api/sales/phone%2d42/orders`,
    `/api/sales/..%2fcontrol/orders`,
    `/api/sales/${saleId}%00/orders`,
    `/api/sales/${saleId}\n/orders`,
    `/API/sales/${saleId}/orders`,
    `/api/sales/PHONE-42/orders`,
    `/api/sales/${saleId};x=1/orders`,
    `/api/sales/{${saleId}}/orders`,
    '/api/orders/',
    '/api/orders/1',
    '/api/orders/..',
    `/api/orders/${orderId}/`,
    `/api/orders/${orderId.toUpperCase()}`,
    `/api/orders/%2e%2e/${orderId}`,
    `/api/orders/${orderId}/pay/`,
    `/api/orders/${orderId}/Pay`,
    `/api/orders/${orderId}/refund`,
    `/api/orders/${orderId}/pay/cancel`,
    `/api/orders/${orderId}//pay`,
    `/api/orders/%2e%2e/pay`,
    '/api/orders/pay',
    '/api/orders//pay',
    '/api/orders/1/pay',
    '/api/payments',
    '/api/payments/',
    '/api/payments/webhook/',
    '/api/payments/Webhook',
    '/api/payments/webhook/x',
    '/api/control',
    '/api/control/',
    `/api/control/orders/${'x'.repeat(68)}/refund`,
    '/api/control//sales',
    '/api/control/.',
    '/api/control/sales/..',
    '/api/control/sales/../../orders',
    '/api/control/%73ales',
    '/api/controls/sales',
    '/api/Control/sales',
    `/api/sales/${saleId}/challenge/`,
    `/api/sales/${saleId}/Challenge`,
    `/api/sales/${saleId}/orders/challenge`,
    '/api/sales//challenge',
    '/api/sales/challenge',
    `/api/sales/../${saleId}/challenge`,
    '/api/control/blocklist/shopper/..',
    '/api/control/blocklist/shopper/.',
    '/api/control/blocklist/shopper//ann',
    '/api/control/blocklist/shopper/a%7Cb',
    '/api/control/blocklist/shopper/ann@example/8',
    `/api/control/blocklist/shopper/${'x'.repeat(129)}`,
    '/api/control/blocklist/address/::1',
    '/api/control/blocklist/ip/../sales',
    '/api/control/blocklist/ip/..:/8',
    '/api/control/blocklist/ip/2001:db8::/32/',
    '/api/control/blocklist/ip/2001:db8::/1000',
    '/api/control/blocklist/ip/2001:db8::%2f32',
    '/api/control/blocklist/ip/fe80::1%25eth0',
    '/api/control/blocklist/ip/ann@example',
    '/api/control/sales/ann@example',
  ])('answers not-found for %j (L6)', async (uri) => {
    for (const method of ['GET', 'POST']) {
      for (const refusal of await refusals(method, uri)) {
        expect(refusal).toMatchObject({ status: 404, code: 'not-found' })
      }
    }
  })

  it.each([
    ['GET', `/api/sales/${saleId}/orders`, 'POST'],
    ['OPTIONS', `/api/sales/${saleId}/orders`, 'POST'],
    ['post', `/api/sales/${saleId}/orders`, 'POST'],
    ['HEAD', '/api/orders', 'GET'],
    ['POST', '/api/orders', 'GET'],
    ['DELETE', `/api/orders/${orderId}`, 'GET'],
    ['GET', `/api/orders/${orderId}/pay`, 'POST'],
    ['DELETE', `/api/orders/${orderId}/cancel`, 'POST'],
    ['GET', '/api/payments/webhook', 'POST'],
    ['HEAD', '/api/control/sales', 'GET, POST, PUT, PATCH, DELETE'],
    ['TRACE', '/api/control/sales', 'GET, POST, PUT, PATCH, DELETE'],
    ['GET', `/api/sales/${saleId}/challenge`, 'POST'],
  ])('refuses %s %s and names the allowed methods: %s', async (method, uri, allow) => {
    for (const refusal of await refusals(method, uri)) {
      expect(refusal).toMatchObject({ status: 405, code: 'method-not-allowed', headers: { allow } })
    }
  })

  const longest = `${saleIdOf('s'.repeat(40))}-${'a'.repeat(26)}`

  it.each([
    `/api/control/orders/${longest}/refund`,
    '/api/control/dead-letters/redrive',
    `/api/control/sales/${saleId}/recover`,
    `/api/control/sales/${saleId}/reconcile`,
    '/api/control/blocklist',
    '/api/control/blocklist/shopper/ann',
    '/api/control/blocklist/shopper/ann@example|7:x+y-z_.',
    '/api/control/blocklist/shopper/.hidden',
    '/api/control/blocklist/shopper/...',
    `/api/control/blocklist/shopper/${'|'.repeat(128)}`,
    '/api/control/blocklist/ip/203.0.113.7',
    '/api/control/blocklist/ip/10.0.0.0/8',
    '/api/control/blocklist/ip/2001:db8::/32',
    '/api/control/blocklist/ip/2001:DB8:0:0:0:0:0:1/128',
    '/api/control/blocklist/ip/::/0',
    '/api/control/blocklist/ip/::ffff:203.0.113.7',
  ])('lets a marketer reach %s', async (uri) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await preGate.refusal({ method, uri, headers })).toBeUndefined()
      expect(forwardedOf(await handler(await controlEvent(time.now, { uri, method }))).uri).toBe(uri)
    }
  })

  it.each(['pay', 'cancel'])('accepts the longest possible order id, to %s it', async (action) => {
    const uri = `/api/orders/${longest}/${action}`
    expect(await preGate.refusal({ method: 'POST', uri, headers })).toBeUndefined()
    expect(forwardedOf(await handler(await orderChangeEvent(time.now, { uri }))).uri).toBe(uri)
  })

  it('sends the store no request for any of these (L6)', () => {
    expect(store.reads).toEqual([])
    expect(store.asks).toEqual([])
  })
})
