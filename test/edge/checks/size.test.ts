import { describe, expect, it } from 'vitest'
import { maxControlBodyBytes, maxOrderRequestBytes, maxWebhookBytes } from '../../../core/body-limits.ts'
import type { EdgeEvent } from '../../../edge/cloudfront.ts'
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
