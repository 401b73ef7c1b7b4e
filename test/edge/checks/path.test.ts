/** One table of paths for both tiers: CloudFront's function before the gate, and the gate. */
import { describe, expect, it } from 'vitest'
import { emptyLocation } from '../../local/key-values.ts'
import { openPreGate } from '../pre-gate-visits.ts'
import { eventOf, forwardedOf, openGate, orderId, refusalOf, saleId, saleIdOf } from '../support.ts'

const { changeOrder, control, handler, store } = openGate()
const preGate = await openPreGate(emptyLocation())
const headers = { authorization: 'Bearer a.b.c' }

/** The refusals of both tiers: of CloudFront's function, and of the gate where that one lets it through. */
const refusals = async (method: string, uri: string) => [
  await preGate.refusal({ method, uri, headers }),
  refusalOf(await handler(eventOf({ method, uri }))),
]

/** A path of each route. */
const paths = [
  ...['orders', 'packets', 'challenge'].map((last) => `/api/sales/${saleId}/${last}`),
  ...['/api/wallet', '/api/orders', '/api/pass', '/api/contact', '/api/payments/webhook', '/api/unsubscribe'],
  ...['', '/pay', '/cancel', '/delivery'].map((last) => `/api/orders/${orderId}${last}`),
  ...['/api/sign-in', '/api/sign-in/callback', '/api/sign-in/refresh', '/api/sign-in/end'],
]

/** The path of each route in a form that a server behind the gate could take for the same. */
const disguises: [string, (path: string) => string][] = [
  ['a slash at its end', (path) => `${path}/`],
  ['two slashes at its start', (path) => `/${path}`],
  ['two slashes inside', (path) => path.replace('/api/', '/api//')],
  ['two slashes before its last part', (path) => path.replace(/\/([^/]*)$/, '//$1')],
  ['a part that is a dot', (path) => path.replace(/\/([^/]*)$/, '/./$1')],
  ['a step back', (path) => path.replace('/api/', '/api/control/../')],
  ['an encoded step back', (path) => path.replace('/api/', '/api/control/%2e%2e/')],
  ['an encoded slash', (path) => path.replace(/\/([^/]*)$/, '%2f$1')],
  ['an encoded slash in capitals', (path) => path.replace(/\/([^/]*)$/, '%2F$1')],
  ['an encoded letter', (path) => path.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`)],
  ['an encoded hyphen', (path) => path.replace('api', 'api%2d')],
  ['a capital letter', (path) => path.replace('/api', '/API')],
  ['capital letters at its end', (path) => path.replace(/[^/]*$/, (last) => last.toUpperCase())],
  ['another last part', (path) => `${path}/orders`],
  ['a longer last part', (path) => `${path}s`],
  ['a line end', (path) => `${path}\n`],
  ['a line end inside', (path) => path.replace(/\/([^/]*)$/, '\n/$1')],
  ['a NUL', (path) => `${path}%00`],
  ['a space', (path) => `${path}%20`],
  ['a parameter', (path) => `${path};jsessionid=1`],
  ['a parameter inside', (path) => path.replace(/\/([^/]*)$/, ';x=1/$1')],
  ['a mark of a query', (path) => `${path}?`],
  ['a mark of a fragment', (path) => `${path}#`],
  ['backslashes', (path) => path.replaceAll('/', '\\')],
  ['a slash of full width', (path) => path.replace('/api', '／api')],
  ['no slash', (path) => path.slice(1)],
  ['another site', (path) => `http://evil.example${path}`],
]

async function expectNotFound(uri: string) {
  for (const method of ['GET', 'POST']) {
    for (const refusal of await refusals(method, uri)) {
      expect(refusal, `${method} ${uri}`).toMatchObject({ status: 404, code: 'not-found' })
    }
  }
}

describe('the path check, in CloudFront and in the gate', () => {
  it.each(disguises)('answers not-found for every path with %s (L6)', async (_, disguise) => {
    for (const path of paths) await expectNotFound(disguise(path))
  })

  it.each([
    ...['', '/', '/sales', '/time/', '/wp-login.php', '/controls/sales', '/Control/sales', '/payments'],
    ...['ab', '', 'PHONE-42', '%70hone-42', 'phone%2d42', 'phone-４２', 'phоne-42', 'phone‐42', `{${saleId}}`].map(
      (id) => `/sales/${id}/orders`,
    ),
    ...['', '/order', '/packet'].map((last) => `/sales/${saleId}${last}`),
    ...['1', '..', '1/pay', '/pay', 'pay', `${orderId}/refund`, `${orderId}/pay/cancel`].map((id) => `/orders/${id}`),
    ...['', '/', '//sales', '/.', '/..', '/sales/..', '/sales/../../orders', '/%73ales', '/sales/ann@example'].map(
      (path) => `/control${path}`,
    ),
    `/control/orders/${'x'.repeat(68)}/refund`,
    ...['/..', '/.', '//ann', '/a%7Cb', '/ann@example/8', `/${'x'.repeat(129)}`].map(
      (id) => `/control/blocklist/shopper${id}`,
    ),
    ...['/../sales', '/..:/8', '/2001:db8::/32/', '/2001:db8::/1000', '/2001:db8::%2f32', '/ann@example'].map(
      (range) => `/control/blocklist/ip${range}`,
    ),
    ...['/control/blocklist/address/::1', '/control/blocklist/ip/fe80::1%25eth0'],
  ])('answers not-found for /api%s (L6)', async (path) => {
    await expectNotFound(`/api${path}`)
  })

  const longest = `${saleIdOf('s'.repeat(40))}-${'a'.repeat(26)}`

  it.each([
    ...[`/orders/${longest}/refund`, '/dead-letters/redrive', `/sales/${saleId}/recover`, '/blocklist'],
    ...['ann', 'ann@example|7:x+y-z_.', '.hidden', '...', '|'.repeat(128)].map((id) => `/blocklist/shopper/${id}`),
    ...['203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '2001:DB8:0:0:0:0:0:1/128', '::/0', '::ffff:203.0.113.7'].map(
      (range) => `/blocklist/ip/${range}`,
    ),
  ])('lets a marketer reach /api/control%s', async (path) => {
    const uri = `/api/control${path}`
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await preGate.refusal({ method, uri, headers })).toBeUndefined()
      expect(forwardedOf(await control({ uri, method })).uri).toBe(uri)
    }
  })

  it.each(['pay', 'cancel'])('accepts the longest possible order id, to %s it', async (action) => {
    const uri = `/api/orders/${longest}/${action}`
    expect(await preGate.refusal({ method: 'POST', uri, headers })).toBeUndefined()
    expect(forwardedOf(await changeOrder({ uri })).uri).toBe(uri)
  })

  it('sends the store no request for any of these (L6)', () => {
    expect(store.reads).toEqual([])
    expect(store.asks).toEqual([])
  })
})
