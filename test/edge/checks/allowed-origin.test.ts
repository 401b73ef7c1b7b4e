import { describe, expect, it } from 'vitest'
import {
  buyEvent,
  controlEvent,
  distributionDomain,
  eventOf,
  forwardedOf,
  gateSettings,
  openGate,
  orderId,
  refusalOf,
  shopOrigin,
  tokenAt,
  unthrottled,
} from '../support.ts'

describe('the origin check', () => {
  const { handler, time } = openGate(unthrottled)

  /** The headers of a request by a browser: the session travels as a cookie. */
  async function cookieHeaders(origin: string | string[] | undefined, claims = {}) {
    return {
      cookie: `sluice_session=${await tokenAt(time.now, { claims })}`,
      'content-type': 'application/json',
      ...(origin === undefined ? {} : { origin }),
    }
  }
  async function browserBuy(origin: string | string[] | undefined) {
    const event = await buyEvent(time.now)
    const { request } = event.Records[0]?.cf ?? {}
    const { body, uri } = request ?? {}
    const text = Buffer.from(body?.data ?? '', 'base64')
    return handler(
      eventOf({ method: 'POST', uri: uri ?? '', body: text, headers: await cookieHeaders(origin) }),
    )
  }

  it.each([shopOrigin, 'https://www.shop.example'])('admits a buy request of %s', async (origin) => {
    forwardedOf(await browserBuy(origin))
  })

  it.each([
    'https://evil.example',
    'http://shop.example',
    'https://shop.example.evil.example',
    'https://shop.example:8443',
    'https://SHOP.example',
    'null',
    '',
  ])('refuses a page of %j, although the browser sends the shopper’s cookie', async (origin) => {
    expect(refusalOf(await browserBuy(origin))).toMatchObject({ status: 403, code: 'origin-not-allowed' })
  })

  it('refuses two origins', async () => {
    expect(refusalOf(await browserBuy([shopOrigin, shopOrigin])).code).toBe('origin-not-allowed')
  })

  it('refuses a cookie without an origin: browsers name it in every request that changes something', async () => {
    expect(refusalOf(await browserBuy(undefined)).code).toBe('origin-not-allowed')
  })

  it('refuses a bearer token that a page of another site sends', async () => {
    const event = await buyEvent(time.now, { headers: { origin: 'https://evil.example' } })
    expect(refusalOf(await handler(event)).code).toBe('origin-not-allowed')
  })

  it('lets a script with a bearer token run a sale without an origin', async () => {
    forwardedOf(await handler(await controlEvent(time.now)))
  })

  it.each(['pay', 'cancel'])(
    'refuses a page of another site that wants to %s an order with the shopper’s cookie',
    async (action) => {
      const uri = `/api/orders/${orderId}/${action}`
      const from = async (origin: string | undefined) =>
        handler(eventOf({ method: 'POST', uri, body: '{}', headers: await cookieHeaders(origin) }))
      forwardedOf(await from(shopOrigin))
      for (const origin of ['https://evil.example', undefined]) {
        expect(refusalOf(await from(origin)).code).toBe('origin-not-allowed')
      }
    },
  )

  it('checks every change of the console’s page in the same way, and no read', async () => {
    const headers = await cookieHeaders('https://evil.example', { roles: ['marketer'] })
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const event = eventOf({ method, uri: '/api/control/sales/phone-42', headers })
      expect(refusalOf(await handler(event)).code).toBe('origin-not-allowed')
    }
    forwardedOf(await handler(eventOf({ uri: '/api/control/sales', headers })))
    forwardedOf(await handler(eventOf({ uri: '/api/orders', headers })))
  })
})

describe('the word self in the list of origins', () => {
  const { handler, time } = openGate(unthrottled)
  const own = `https://${distributionDomain}`

  const from = async (origin: string, origins: string[], domain = distributionDomain) =>
    handler(
      await buyEvent(time.now, {
        headers: { origin },
        settings: gateSettings({ origins }),
        domain,
      }),
    )

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
    expect(refusalOf(await from(origin, ['self']))).toMatchObject({ status: 403, code: 'origin-not-allowed' })
  })

  it('allows no own address in a list without it', async () => {
    expect(refusalOf(await from(own, [shopOrigin])).code).toBe('origin-not-allowed')
  })

  it('is read per distribution, although one instance serves two with the same settings', async () => {
    const other = 'd222222abcdef8.cloudfront.net'
    forwardedOf(await from(own, ['self']))
    forwardedOf(await from(`https://${other}`, ['self'], other))
    expect(refusalOf(await from(own, ['self'], other)).code).toBe('origin-not-allowed')
    expect(refusalOf(await from(`https://${other}`, ['self'])).code).toBe('origin-not-allowed')
  })
})
