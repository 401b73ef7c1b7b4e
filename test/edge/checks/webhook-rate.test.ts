import { describe, expect, it } from 'vitest'
import { forwardedOf, openGate, refusalOf, webhookEvent } from '../support.ts'

describe('the limit of webhooks', () => {
  it('admits a provider that reports a hundred payments a second from one address', async () => {
    const { handler, time } = openGate()
    for (let i = 0; i < 6000; i++) {
      forwardedOf(await handler(webhookEvent()))
      time.now += 10
    }
  })

  it('limits an address that floods it, names the wait, and limits no other', async () => {
    const { handler, time } = openGate()
    for (let i = 0; i < 1000; i++) forwardedOf(await handler(webhookEvent()))
    const refusal = refusalOf(await handler(webhookEvent()))
    expect(refusal).toMatchObject({
      status: 429,
      code: 'too-many-requests',
      headers: { 'retry-after': '10' },
    })
    forwardedOf(await handler(webhookEvent({ clientIp: '198.51.100.9' })))
    time.now += 10_000
    forwardedOf(await handler(webhookEvent()))
  })

  it('limits a flood from many addresses', async () => {
    const { handler, time } = openGate()
    const from = (i: number) => webhookEvent({ clientIp: `198.51.${i >> 8}.${i & 255}` })
    for (let i = 0; i < 3000; i++) forwardedOf(await handler(from(i)))
    expect(refusalOf(await handler(from(3000)))).toMatchObject({ status: 429, code: 'too-many-requests' })
    time.now += 10_000
    forwardedOf(await handler(from(3000)))
  })

  it('counts only messages that look signed', async () => {
    const { handler } = openGate()
    const unsigned = { headers: { 'content-type': 'application/json' } }
    for (let i = 0; i < 3001; i++)
      expect(refusalOf(await handler(webhookEvent(unsigned))).code).toBe('signature-invalid')
    forwardedOf(await handler(webhookEvent()))
  })
})
