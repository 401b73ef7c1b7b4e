import { describe, expect, it } from 'vitest'
import { maxControlBodyBytes, maxOrderRequestBytes, maxWebhookBytes } from '../../../core/body-limits.ts'
import { signatureHeaders, stripeSignatureHeaders } from '../../../core/orders/signature-headers.ts'
import type { EdgeEvent } from '../../../edge/cloudfront.ts'
import {
  buyEvent,
  controlEvent,
  eventOf,
  forwardedOf,
  openGate,
  orderChangeEvent,
  refusalOf,
  signed,
  startToken,
  tokenAt,
  unthrottled,
  webhookEvent,
} from '../support.ts'

const json = { 'content-type': 'application/json' }
const buyOfBytes = (length: number) => JSON.stringify({ quantity: 1, startToken }).padEnd(length, ' ')

describe('the size check', () => {
  const { buy, handler, store, time } = openGate(unthrottled)

  it.each([2046, 2047, 2048])('forwards a buy request of %d bytes', async (length) => {
    forwardedOf(await buy({ body: buyOfBytes(length) }))
  })

  it.each([2049, 2050, 2051, 1_000_000])(
    'refuses a buy request of %d bytes before any other check (L6)',
    async (length) => {
      const before = store.reads.length
      const answer = await buy({ body: buyOfBytes(length) })
      expect(refusalOf(answer)).toMatchObject({ status: 413, code: 'too-large' })
      expect(store.reads).toHaveLength(before)
    },
  )

  it.each<string | string[]>(['40', ['40', '5000']])(
    'counts the bytes, not a content-length of %j that says less',
    async (length) => {
      const event = await buyEvent(time.now, { body: buyOfBytes(5000), headers: { 'content-length': length } })
      expect(refusalOf(await handler(event)).code).toBe('too-large')
    },
  )

  it('counts bytes, not characters', async () => {
    const answer = await buy({ body: '你'.repeat(1000) })
    expect(refusalOf(answer).code).toBe('too-large')
  })

  it('refuses a body that CloudFront had to cut, however little is left of it, and ignores what its length says', async () => {
    const answer = await buy({ truncated: true })
    expect(refusalOf(answer).code).toBe('too-large')
    forwardedOf(await buy({ headers: { 'content-length': '999999' } }))
  })

  it.each<[string, number, (body: string) => EdgeEvent | Promise<EdgeEvent>]>([
    ['definition', maxControlBodyBytes, (body) => controlEvent(time.now, { body, headers: json })],
    ['order change', maxOrderRequestBytes, (body) => orderChangeEvent(time.now, { body })],
    ['webhook', maxWebhookBytes, (body) => webhookEvent({ body })],
  ])('limits a %s to the %i bytes that the function accepts', async (_, most, eventOf) => {
    forwardedOf(await handler(await eventOf('{}'.padEnd(most, ' '))))
    expect(refusalOf(await handler(await eventOf('{}'.padEnd(most + 1, ' ')))).code).toBe('too-large')
  })

  it('accepts no body with a read', async () => {
    const headers = { authorization: `Bearer ${await tokenAt(time.now)}`, 'content-type': 'application/json' }
    const answer = await handler(eventOf({ uri: '/api/orders', headers, body: '{}' }))
    expect(refusalOf(answer).code).toBe('too-large')
  })
})

describe('the content type check', () => {
  const { buy, control, handler, time } = openGate(unthrottled)
  const send = async (type: string | string[]) => buy({ headers: { 'content-type': type } })

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'takes %s',
    async (type) => {
      forwardedOf(await send(type))
    },
  )

  it.each<string | string[]>([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'application/jsonp',
    'text/json',
    'application/json; charset=utf-16',
    'application/json, text/plain',
    '',
    ['application/json', 'application/json'],
  ])('refuses a body sent as %j, so that forms of other sites fail', async (type) => {
    expect(refusalOf(await send(type))).toMatchObject({ status: 415, code: 'unsupported-media-type' })
  })

  it('checks a marketer’s call with a body in the same way, and none without a body', async () => {
    const withBody = await controlEvent(time.now, { body: '{"now":true}' })
    expect(refusalOf(await handler(withBody)).code).toBe('unsupported-media-type')
    forwardedOf(await control())
  })
})

describe('the query check', () => {
  const { control, handler, time } = openGate()
  const read = async (querystring: string) =>
    handler(
      eventOf({
        uri: '/api/orders',
        querystring,
        headers: { authorization: `Bearer ${await tokenAt(time.now)}` },
      }),
    )

  it.each(['<script>', 'a b', 'x=\n', `a=${'x'.repeat(600)}`])('refuses %j', async (querystring) => {
    expect(refusalOf(await read(querystring))).toMatchObject({ status: 400, body: { field: 'query' } })
    const answer = await control({ method: 'GET', querystring })
    expect(refusalOf(answer).code).toBe('invalid-request')
  })
})

describe('the check of a webhook’s shape', () => {
  const { handler, store } = openGate()
  const send = async (headers: Record<string, string | string[]>) =>
    handler(webhookEvent({ headers: { ...signed, ...headers } }))

  it('forwards any message that may be signed: the secret is not at the edge', async () => {
    forwardedOf(await send({}))
    forwardedOf(await send({ 'webhook-signature': 'v1,AAAA v1,BBBB v1a,CCCC' }))
  })

  it('forwards a message that Stripe may have signed, and none with half of each signature', async () => {
    const { 'webhook-id': _, ...half } = signed
    const sendAs = (headers: Record<string, string>) => handler(webhookEvent({ headers }))
    const { 'stripe-signature': most } = stripeSignatureHeaders
    const { 'content-type': type = 'application/json' } = signed
    const forwarded = forwardedOf(await sendAs({ 'content-type': type, 'stripe-signature': 't=1,v1=ab' }))
    expect(forwarded.headers['stripe-signature']?.[0]?.value).toBe('t=1,v1=ab')
    for (const value of ['', 'x'.repeat(most + 1)]) {
      expect(refusalOf(await sendAs({ ...half, 'stripe-signature': value }))).toMatchObject({
        code: 'signature-invalid',
      })
    }
  })

  it.each(Object.entries(signatureHeaders))(
    'refuses a message without one %s of at most %d characters',
    async (name, maxLength) => {
      forwardedOf(await send({ [name]: 'x'.repeat(maxLength) }))
      for (const value of [[], '', ['a', 'a'], 'x'.repeat(maxLength + 1)]) {
        expect(refusalOf(await send({ [name]: value }))).toMatchObject({ status: 401, code: 'signature-invalid' })
      }
      expect(store.reads).toEqual([])
    },
  )
})
