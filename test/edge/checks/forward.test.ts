import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  buyEvent,
  controlEvent,
  eventOf,
  forwardedOf,
  gateSettings,
  openGate,
  orderChangeEvent,
  refusalOf,
  sent,
  shopOrigin,
  signed,
  startToken,
  tokenAt,
  unthrottled,
  webhookEvent,
} from '../support.ts'

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('a forwarded request', () => {
  const { buy, control, handler, time } = openGate(unthrottled)

  it('is the object CloudFront passed in, with its original address', async () => {
    const event = await buyEvent(time.now)
    const original = event.Records[0]?.cf.request
    const request = forwardedOf(await handler(event))
    expect(request).toBe(original)
    expect(request).toMatchObject({ method: 'POST', uri: '/api/sales/phone-42/orders' })
    expect(request.body?.action).toBe('read-only')
  })

  it('carries the identity of the token under trusted headers, which replace the client’s', async () => {
    const headers = {
      'x-shopper-id': ['mallory', 'eve'],
      'X-Shopper-Level': '987',
      'x-shopper-roles': 'marketer',
      'x-request-id': 'forged',
      'x-amz-content-sha256': 'forged',
    }
    const request = forwardedOf(await buy({ headers }))
    expect(sent(request, 'x-shopper-id')).toEqual(['ann'])
    expect(sent(request, 'x-shopper-level')).toEqual(['0'])
    expect(sent(request, 'x-shopper-roles')).toEqual([''])
    expect(sent(request, 'x-request-id')).toEqual(['4TyzHTaYWb1GX1qTfsHhEqV6HUDd_BzoBZnwfnvQc_1oF26ClkoUSEQ=='])
    expect(JSON.stringify(request)).not.toMatch(/mallory|eve"|forged|"987"/)
  })

  it('has a body of UTF-8: a function URL would pass JSON on with other characters in the place of such bytes', async () => {
    const body = Buffer.from('{"name":"Jürgen"}', 'latin1')
    const json = { 'content-type': 'application/json' }
    const events = [await orderChangeEvent(time.now, { body }), await controlEvent(time.now, { body, headers: json })]
    for (const event of [...events, webhookEvent({ headers: signed, body })])
      expect(refusalOf(await handler(event)).body).toMatchObject({ field: 'body', detail: 'body must be UTF-8' })
  })

  it('carries no admission from a client: a purchase has its own, others have none (G4)', async () => {
    const headers = { 'X-Admission': '1999999999', authorization: `Bearer ${await tokenAt(time.now)}` }
    const bought = forwardedOf(await buy({ headers }))
    expect(sent(bought, 'x-admission')).toEqual([String(Math.floor(time.now / 1000))])
    const requests = [
      eventOf({ uri: '/api/orders', headers }),
      await orderChangeEvent(time.now, { headers }),
      await controlEvent(time.now, { headers: { 'x-admission': '1999999999' } }),
      webhookEvent({ headers: { ...signed, 'x-admission': '1999999999' } }),
    ]
    for (const event of requests) expect(sent(forwardedOf(await handler(event)), 'x-admission')).toEqual([])
  })

  it('says to control, and to nothing else, whether this stage has keys of Turnstile (N4)', async () => {
    const turnstile = { siteKey: 'site', secret: 'secret' }
    const ready = { settings: gateSettings({ turnstile }) }
    const forged = { headers: { 'x-turnstile': 'ready' } }
    const saidBy = async (event: Awaited<ReturnType<typeof controlEvent>>) =>
      sent(forwardedOf(await handler(event)), 'x-turnstile')
    expect(await saidBy(await controlEvent(time.now, ready))).toEqual(['ready'])
    expect(await saidBy(await controlEvent(time.now, forged))).toEqual([])
    expect(await saidBy(await orderChangeEvent(time.now, { ...ready, ...forged }))).toEqual([])
  })

  it('is signed over the bytes of the body, not over its parsed form or its declared length', async () => {
    const body = Buffer.from(`{"quantity":1,\r\n "startToken":"${startToken}"}\n`)
    const declared = { 'content-length': '1', 'transfer-encoding': 'chunked' }
    const request = forwardedOf(await buy({ body, headers: declared }))
    expect(sent(request, 'x-amz-content-sha256')).toEqual([sha256(body)])
    const bytes = Buffer.from('\ufeff{\0é}')
    const headers = { 'content-type': 'application/json' }
    const change = forwardedOf(await control({ body: bytes, headers }))
    expect(sent(change, 'x-amz-content-sha256')).toEqual([sha256(bytes)])
  })

  it('is signed over an empty body where there is none, also when the event has no body', async () => {
    const withEmpty = await controlEvent(time.now)
    const without = await controlEvent(time.now)
    delete without.Records[0]?.cf.request.body
    for (const event of [withEmpty, without]) {
      expect(sent(forwardedOf(await handler(event)), 'x-amz-content-sha256')).toEqual([sha256('')])
    }
  })

  it('keeps the headers the functions need', async () => {
    const request = forwardedOf(await buy({ headers: { 'Idempotency-Key': 'k-1' } }))
    expect(sent(request, 'idempotency-key')).toEqual(['k-1'])
    expect(sent(request, 'content-type')).toEqual(['application/json'])
    expect(sent(request, 'origin')).toEqual([shopOrigin])
    expect(sent(request, 'host')).toEqual(['abc.lambda-url.eu-central-1.on.aws'])
  })

  it('drops every other header of the client', async () => {
    const headers = {
      'x-sluice-config': 'x',
      x_shopper_id: 'mallory',
      'x-original-url': '/api/control/sales',
      'x-http-method-override': 'DELETE',
      'x-powered-by': '值',
    }
    const request = forwardedOf(await buy({ headers }))
    for (const name of Object.keys(headers)) expect(sent(request, name)).toEqual([])
  })

  it('keeps the headers that CloudFront lets no function change: changing one is answered with 502', async () => {
    const headers = {
      'content-length': '70',
      'accept-encoding': 'gzip',
      'if-none-match': '"x"',
      'x-amz-cf-id': 'abc',
      'transfer-encoding': 'chunked',
    }
    const request = forwardedOf(await buy({ headers }))
    for (const [name, value] of Object.entries({ ...headers, via: '2.0 x.cloudfront.net (CloudFront)' })) {
      expect(sent(request, name)).toEqual([value])
    }
  })

  it('does not carry the settings of the gate, and keeps other custom headers of the origin', async () => {
    const request = forwardedOf(await buy())
    expect(Object.keys(request.origin?.custom.customHeaders ?? {})).toEqual(['x-kept'])
    expect(JSON.stringify(request)).not.toContain('gate-secret')
  })

  it('has no query on a buy request, and the shopper’s own on a read', async () => {
    const bought = forwardedOf(await buy({ querystring: 'utm_source=mail&x=%00' }))
    expect(bought.querystring).toBe('')
    const headers = { authorization: `Bearer ${await tokenAt(time.now)}` }
    const read = await handler(eventOf({ uri: '/api/orders', querystring: 'sale=phone-42', headers }))
    expect(forwardedOf(read).querystring).toBe('sale=phone-42')
  })
})

describe('a forwarded webhook', () => {
  const { handler, store } = openGate()

  it('keeps its signature and its exact bytes, and has no identity', async () => {
    const body = Buffer.from('\ufeff{"é\r\n}')
    const headers = {
      ...signed,
      'x-shopper-id': 'ann',
      'x-shopper-roles': 'marketer',
      authorization: 'Bearer a.b.c',
      cookie: 'sluice_session=a.b.c',
      origin: shopOrigin,
      'idempotency-key': 'k-1',
      'webhook-extra': 'x',
    }
    const request = forwardedOf(await handler(webhookEvent({ body, headers })))
    for (const [name, value] of Object.entries(signed)) expect(sent(request, name)).toEqual([value])
    for (const name of Object.keys(headers)) {
      if (!(name in signed)) expect(sent(request, name), name).toEqual([])
    }
    expect(request.body).toMatchObject({ action: 'read-only', data: body.toString('base64') })
    expect(sent(request, 'x-amz-content-sha256')).toEqual([sha256(body)])
    expect(sent(request, 'x-request-id')).toHaveLength(1)
  })

  it('does not carry the settings of the gate either, and reads no store', async () => {
    const request = forwardedOf(await handler(webhookEvent()))
    expect(Object.keys(request.origin?.custom.customHeaders ?? {})).toEqual(['x-kept'])
    expect(store.reads).toEqual([])
  })
})
