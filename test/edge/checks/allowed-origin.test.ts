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

const { buy, control, handler, time } = openGate(unthrottled)
const evil = 'https://evil.example'
const purchase = JSON.stringify({ quantity: 1, startToken })

/** A request by a browser: the session travels as a cookie. */
async function browse(method: string, uri: string, origin?: string | string[], roles: string[] = []) {
  const cookie = `sluice_session=${await tokenAt(time.now, { claims: { roles } })}`
  const headers = { cookie, 'content-type': 'application/json', ...(origin !== undefined && { origin }) }
  const body = uri.startsWith('/api/control') || method === 'GET' ? '' : uri.includes('/sales/') ? purchase : '{}'
  return handler(eventOf({ method, uri, headers, body }))
}
async function expectRefused(answer: ReturnType<typeof browse>) {
  expect(refusalOf(await answer)).toMatchObject({ status: 403, code: 'origin-not-allowed' })
}

describe('the origin check', () => {
  const buyPath = `/api/sales/${saleId}/orders`

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
      const token = await tokenAt(time.now, { claims: { roles: ['marketer'] } })
      const headers = { authorization: `Bearer ${token}`, origin: evil }
      forwardedOf(await handler(eventOf({ method: 'GET', uri, headers })))
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
  const refused = { status: 403, code: 'origin-not-allowed' }
  const pay = `/api/orders/${orderId}/pay`
  const json = { 'content-type': 'application/json' }

  it('may buy with a bearer token, and no other origin may', async () => {
    const gate = openGate(named)
    forwardedOf(await gate.buy({ headers: { origin: host } }))
    for (const origin of [evil, `${host}.evil.example`, `${host}:8443`, 'null', '', host.toUpperCase()]) {
      expect(refusalOf(await gate.buy({ headers: { origin } }))).toMatchObject(refused)
    }
    expect(refusalOf(await gate.buy({ headers: { origin: [host, host] } }))).toMatchObject(refused)
  })

  it('may claim a red packet in the same way', async () => {
    const gate = openGate(ruled({ ...unthrottled.rules, kind: 'red-packet', allowedOrigins: [host] }))
    forwardedOf(await gate.claim({ headers: { origin: host } }))
    expect(refusalOf(await gate.claim({ headers: { origin: evil } }))).toMatchObject(refused)
    // A challenge is solved on the page of the sale alone.
    expect(refusalOf(await gate.fetchChallenge({ headers: { origin: host } }))).toMatchObject(refused)
  })

  it('buy nothing with a cookie, which a browser sends between hosts of one domain', async () => {
    const gate = openGate(named)
    const cookie = `sluice_session=${await tokenAt(gate.time.now)}`
    const headers = { ...json, cookie, origin: host }
    const uri = `/api/sales/${saleId}/orders`
    expect(refusalOf(await gate.handler(eventOf({ method: 'POST', uri, headers, body: purchase })))).toMatchObject(
      refused,
    )
    forwardedOf(
      await gate.handler(eventOf({ method: 'POST', uri, headers: { ...headers, origin: shopOrigin }, body: purchase })),
    )
  })

  it('may pay and cancel orders of that sale, with a bearer token, and change nothing else', async () => {
    const gate = openGate(named)
    const authorization = `Bearer ${await tokenAt(gate.time.now)}`
    const ask = (uri: string, origin: string, session: Record<string, string> = { authorization }) =>
      gate.handler(eventOf({ method: 'POST', uri, headers: { ...json, ...session, origin }, body: '{}' }))
    forwardedOf(await ask(pay, host))
    forwardedOf(await ask(`/api/orders/${orderId}/cancel`, host))
    expect(refusalOf(await ask(pay, evil))).toMatchObject(refused)
    const cookie = `sluice_session=${await tokenAt(gate.time.now)}`
    expect(refusalOf(await ask(pay, host, { cookie }))).toMatchObject(refused)
    expect(refusalOf(await ask(pay.replace(saleId, 'other-sale'), host))).toMatchObject(refused)
    const roles = {
      authorization: `Bearer ${await tokenAt(gate.time.now, { claims: { roles: ['marketer'] } })}`,
    }
    expect(refusalOf(await ask(`/api/control/sales/${saleId}/start`, host, roles))).toMatchObject(refused)
  })

  it('use up no rate of a shopper by requests that a page has forged', async () => {
    const gate = openGate(named)
    const cookie = `sluice_session=${await tokenAt(gate.time.now)}`
    const ask = (origin: string) =>
      gate.handler(eventOf({ method: 'POST', uri: pay, headers: { ...json, cookie, origin }, body: '{}' }))
    for (let times = 0; times < 40; times += 1) expect(refusalOf(await ask(host))).toMatchObject(refused)
    forwardedOf(await ask(shopOrigin))
  })

  it('are refused without the facts of the sale, and take no request from callers without an origin', async () => {
    const gate = openGate(named)
    const headers = { ...json, authorization: `Bearer ${await tokenAt(gate.time.now)}` }
    forwardedOf(await gate.handler(eventOf({ method: 'POST', uri: pay, headers, body: '{}' })))
    gate.store.goDown()
    gate.time.now += 60_000
    const asked = eventOf({ method: 'POST', uri: pay, headers: { ...headers, origin: host }, body: '{}' })
    expect(refusalOf(await gate.handler(asked))).toMatchObject({ status: 503, code: 'unavailable' })
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
