import { describe, expect, it } from 'vitest'
import {
  distributionDomain,
  eventOf,
  forwardedOf,
  gateSettings,
  openGate,
  orderId,
  refusalOf,
  ruled,
  saleId,
  shopOrigin,
  startToken,
  tokenAt,
  unthrottled,
} from '../support.ts'

const ofAll = openGate(unthrottled)
const { buy, control } = ofAll
const evil = 'https://evil.example'
const purchase = JSON.stringify({ quantity: 1, startToken })

type Asked = { method?: string; uri: string; origin?: string | string[] | undefined; roles?: string[] }

/** A request of Ann, with her session in a cookie, as browsers send it, or in a header. */
async function ask(by: 'cookie' | 'bearer', { method = 'POST', uri, origin, roles = [] }: Asked, gate = ofAll) {
  const token = await tokenAt(gate.time.now, { claims: { roles } })
  const session: Record<string, string> =
    by === 'cookie' ? { cookie: `sluice_session=${token}` } : { authorization: `Bearer ${token}` }
  const headers = { ...session, 'content-type': 'application/json', ...(origin !== undefined && { origin }) }
  const body = uri.startsWith('/api/control') || method === 'GET' ? '' : uri.includes('/sales/') ? purchase : '{}'
  return gate.handler(eventOf({ method, uri, headers, body }))
}
const browse = (method: string, uri: string, origin?: string | string[], roles?: string[]) =>
  ask('cookie', { method, uri, origin, ...(roles && { roles }) })
async function expectRefused(answer: ReturnType<typeof browse>) {
  expect(refusalOf(await answer)).toMatchObject({ status: 403, code: 'origin-not-allowed' })
}

const buyPath = `/api/sales/${saleId}/orders`

describe('the origin check', () => {
  it.each<[string, string | string[] | undefined]>([
    ['of another site', evil],
    ['without TLS', 'http://shop.example'],
    ['of a site whose name begins like ours', 'https://shop.example.evil.example'],
    ['of another port', 'https://shop.example:8443'],
    ['in capitals', 'https://SHOP.example'],
    ['without a site', 'null'],
    ['with an empty origin', ''],
    ['with two origins', [shopOrigin, shopOrigin]],
    ['without an origin, which browsers name in every change', undefined],
  ])('refuses a click of a page %s, although the browser sends the shopper’s cookie', async (_, origin) => {
    await expectRefused(browse('POST', buyPath, origin))
  })

  it.each([shopOrigin, 'https://www.shop.example'])('admits a click of a page of %s', async (origin) => {
    forwardedOf(await browse('POST', buyPath, origin))
  })

  it.each([
    ['POST', `/api/orders/${orderId}/pay`],
    ['POST', `/api/orders/${orderId}/cancel`],
    ['POST', '/api/control/sales/phone-42'],
    ['PATCH', '/api/control/sales/phone-42'],
    ['DELETE', '/api/control/sales/phone-42'],
  ])('checks every change in the same way: %s %s', async (method, uri) => {
    forwardedOf(await browse(method, uri, shopOrigin, ['marketer']))
    for (const origin of [evil, undefined]) await expectRefused(browse(method, uri, origin, ['marketer']))
  })

  it('refuses a read whose cookie the page of another site sends, and takes a token that it sends', async () => {
    for (const uri of ['/api/control/sales', '/api/orders', '/api/wallet', `/api/orders/${orderId}`]) {
      await expectRefused(browse('GET', uri, evil, ['marketer']))
      forwardedOf(await browse('GET', uri, undefined, ['marketer']))
      forwardedOf(await ask('bearer', { method: 'GET', uri, origin: evil, roles: ['marketer'] }))
    }
    await expectRefused(browse('GET', '/api/pass', evil))
  })

  it('refuses a bearer token that a page of another site sends, and lets a script without an origin run a sale', async () => {
    await expectRefused(buy({ headers: { origin: evil } }))
    forwardedOf(await control())
  })
})

describe('the origins that a sale names', () => {
  const host = 'https://host.example'
  const named = ruled({ ...unthrottled.rules, allowedOrigins: [host] })
  const pay = `/api/orders/${orderId}/pay`

  it('may buy with a bearer token, and no other origin may', async () => {
    const gate = openGate(named)
    forwardedOf(await gate.buy({ headers: { origin: host } }))
    const others = [evil, `${host}.evil.example`, `${host}:8443`, 'null', '', host.toUpperCase(), [host, host]]
    for (const origin of others) await expectRefused(gate.buy({ headers: { origin } }))
  })

  it('may claim a red packet in the same way', async () => {
    const gate = openGate(ruled({ ...unthrottled.rules, kind: 'red-packet', allowedOrigins: [host] }))
    forwardedOf(await gate.claim({ headers: { origin: host } }))
    await expectRefused(gate.claim({ headers: { origin: evil } }))
    // A challenge is solved on the page of the sale alone.
    await expectRefused(gate.fetchChallenge({ headers: { origin: host } }))
  })

  it('buy nothing with a cookie, which a browser sends between hosts of one domain', async () => {
    const gate = openGate(named)
    await expectRefused(ask('cookie', { uri: buyPath, origin: host }, gate))
    forwardedOf(await ask('cookie', { uri: buyPath, origin: shopOrigin }, gate))
  })

  it('may pay and cancel orders of that sale, with a bearer token, and change nothing else', async () => {
    const gate = openGate(named)
    for (const uri of [pay, `/api/orders/${orderId}/cancel`])
      forwardedOf(await ask('bearer', { uri, origin: host }, gate))
    await expectRefused(ask('bearer', { uri: pay, origin: evil }, gate))
    await expectRefused(ask('cookie', { uri: pay, origin: host }, gate))
    await expectRefused(ask('bearer', { uri: pay.replace(saleId, 'other-sale'), origin: host }, gate))
    const start = { uri: `/api/control/sales/${saleId}/start`, origin: host, roles: ['marketer'] }
    await expectRefused(ask('bearer', start, gate))
  })

  it('use up no rate of a shopper by requests that a page has forged', async () => {
    const gate = openGate(named)
    for (let times = 0; times < 40; times += 1) await expectRefused(ask('cookie', { uri: pay, origin: host }, gate))
    forwardedOf(await ask('cookie', { uri: pay, origin: shopOrigin }, gate))
  })

  it('are refused without the facts of the sale, and take no request from callers without an origin', async () => {
    const gate = openGate(named)
    forwardedOf(await ask('bearer', { uri: pay }, gate))
    gate.store.goDown()
    gate.time.now += 60_000
    const answer = await ask('bearer', { uri: pay, origin: host }, gate)
    expect(refusalOf(answer)).toMatchObject({ status: 503, code: 'unavailable' })
  })
})

describe('the word self in the list of origins', () => {
  const own = `https://${distributionDomain}`

  const from = async (origin: string, origins: string[], domain = distributionDomain) =>
    buy({ headers: { origin }, settings: gateSettings({ origins }), domain })

  it('means the address of the called distribution, alone or beside others', async () => {
    forwardedOf(await from(own, ['self']))
    forwardedOf(await from(own, [shopOrigin, 'self']))
    forwardedOf(await from(shopOrigin, ['self', shopOrigin]))
  })

  it.each([
    `http://${distributionDomain}`,
    `${own}:8443`,
    `${own}.evil.example`,
    own.slice(0, -1),
    'https://d222222abcdef8.cloudfront.net',
    'https://self',
    'self',
  ])('does not stand for %s', async (origin) => {
    await expectRefused(from(origin, ['self']))
  })

  it('is read per distribution, although one instance serves two, and allows nothing in a list without it', async () => {
    const other = 'd222222abcdef8.cloudfront.net'
    forwardedOf(await from(own, ['self']))
    forwardedOf(await from(`https://${other}`, ['self'], other))
    await expectRefused(from(own, ['self'], other))
    await expectRefused(from(`https://${other}`, ['self']))
    await expectRefused(from(own, [shopOrigin]))
  })
})
