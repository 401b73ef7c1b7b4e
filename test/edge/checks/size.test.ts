import { describe, expect, it } from 'vitest'
import { maxControlBodyBytes, maxOrderRequestBytes, maxWebhookBytes } from '../../../core/body-limits.ts'
import {
  buyEvent,
  controlEvent,
  eventOf,
  forwardedOf,
  openGate,
  orderChangeEvent,
  refusalOf,
  startToken,
  tokenAt,
  unthrottled,
  webhookEvent,
} from '../support.ts'

const buyOfBytes = (length: number) => JSON.stringify({ quantity: 1, startToken }).padEnd(length, ' ')

describe('the size check', () => {
  const { handler, store, time } = openGate(unthrottled)

  it.each([2046, 2047, 2048])('forwards a buy request of %d bytes', async (length) => {
    forwardedOf(await handler(await buyEvent(time.now, { body: buyOfBytes(length) })))
  })

  it.each([2049, 2050, 2051, 1_000_000])(
    'refuses a buy request of %d bytes before any other check (L6)',
    async (length) => {
      const before = store.reads.length
      const answer = await handler(await buyEvent(time.now, { body: buyOfBytes(length) }))
      expect(refusalOf(answer)).toMatchObject({ status: 413, code: 'too-large' })
      expect(store.reads).toHaveLength(before)
    },
  )

  it.each<string | string[]>(['40', ['40', '5000']])(
    'counts the bytes, not a content-length of %j that says less',
    async (length) => {
      const event = await buyEvent(time.now, {
        body: buyOfBytes(5000),
        headers: { 'content-length': length },
      })
      expect(refusalOf(await handler(event)).code).toBe('too-large')
    },
  )

  it('ignores a content-length that says more', async () => {
    const event = await buyEvent(time.now, { headers: { 'content-length': '999999' } })
    forwardedOf(await handler(event))
  })

  it('counts bytes, not characters', async () => {
    const answer = await handler(await buyEvent(time.now, { body: '你'.repeat(1000) }))
    expect(refusalOf(answer).code).toBe('too-large')
  })

  it('refuses a body that CloudFront had to cut, however little is left of it', async () => {
    const answer = await handler(await buyEvent(time.now, { truncated: true }))
    expect(refusalOf(answer).code).toBe('too-large')
  })

  it('lets a marketer send the longest possible definition, and not a byte more than the function accepts', async () => {
    const headers = { 'content-type': 'application/json' }
    const send = async (length: number) =>
      handler(await controlEvent(time.now, { headers, body: 'x'.repeat(length) }))
    forwardedOf(await send(maxControlBodyBytes))
    expect(refusalOf(await send(maxControlBodyBytes + 1)).code).toBe('too-large')
  })

  it('limits a webhook, and an order change, to what the functions accept', async () => {
    const change = (length: number) => orderChangeEvent(time.now, { body: '{}'.padEnd(length, ' ') })
    forwardedOf(await handler(await change(maxOrderRequestBytes)))
    expect(refusalOf(await handler(await change(maxOrderRequestBytes + 1))).code).toBe('too-large')
    forwardedOf(await handler(webhookEvent({ body: 'x'.repeat(maxWebhookBytes) })))
    expect(refusalOf(await handler(webhookEvent({ body: 'x'.repeat(maxWebhookBytes + 1) }))).code).toBe(
      'too-large',
    )
  })

  it('accepts no body with a read', async () => {
    const headers = { authorization: `Bearer ${await tokenAt(time.now)}`, 'content-type': 'application/json' }
    const answer = await handler(eventOf({ uri: '/api/orders', headers, body: '{}' }))
    expect(refusalOf(answer).code).toBe('too-large')
  })
})
