import { describe, expect, it } from 'vitest'
import {
  distributionDomain,
  eventOf,
  forwardedOf,
  gateSettings,
  openGate,
  orderId,
  refusalOf,
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
  const body =
    uri.startsWith('/api/control') || method === 'GET' ? '' : uri.includes('/sales/') ? purchase : '{}'
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

  it('checks no read', async () => {
    for (const uri of ['/api/control/sales', '/api/orders']) {
      forwardedOf(await browse('GET', uri, evil, ['marketer']))
    }
  })

  it('refuses a bearer token that a page of another site sends, and lets a script without an origin run a sale', async () => {
    await expectRefused(buy({ headers: { origin: evil } }))
    forwardedOf(await control())
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
