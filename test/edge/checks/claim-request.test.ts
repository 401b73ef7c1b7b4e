import { describe, expect, it } from 'vitest'
import {
  buyEvent,
  claimEvent,
  forwardedOf,
  openGate,
  refusalOf,
  ruled,
  saleId,
  sent,
  startToken,
  throttled,
  unthrottled,
} from '../support.ts'

const packetSale = { rules: { ...unthrottled.rules, kind: 'red-packet' } } as const

describe('the check of a claim', () => {
  const { handler, time } = openGate(packetSale)
  const wrong = async (body: string) => refusalOf(await handler(await claimEvent(time.now, { body }))).body

  it('accepts the token of the epoch, alone or with a solved challenge (P2)', async () => {
    forwardedOf(await handler(await claimEvent(time.now)))
    const body = JSON.stringify({ startToken, challenge: 'c29sdmVk' })
    forwardedOf(await handler(await claimEvent(time.now, { body })))
  })

  it.each([
    ['body', ''],
    ['body', '[]'],
    ['startToken', '{}'],
    ['startToken', '{"startToken":"short"}'],
    ['challenge', `{"startToken":"${startToken}","challenge":"ä"}`],
    ['quantity', `{"startToken":"${startToken}","quantity":1}`],
    ['amount', `{"startToken":"${startToken}","amount":100}`],
  ])('names the field %s of the body %s', async (field, body) => {
    expect(await wrong(body)).toMatchObject({ code: 'invalid-request', field })
  })

  it('forwards the admission, and never a query', async () => {
    const gate = openGate(packetSale)
    gate.store.replenish(saleId, 10)
    const request = forwardedOf(await gate.handler(await claimEvent(gate.time.now, { querystring: 'x=1' })))
    expect(request.querystring).toBe('')
    expect(sent(request, 'x-admission')).toHaveLength(1)
  })
})

describe('the check of the kind', () => {
  it.each(['goods', 'coupon'] as const)('refuses to claim a packet of %s', async (kind) => {
    const { handler, store, time } = openGate(ruled({ kind }))
    expect(refusalOf(await handler(await claimEvent(time.now)))).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    forwardedOf(await handler(await buyEvent(time.now)))
    expect(store.asks).toHaveLength(1)
  })

  it('refuses to buy a red packet', async () => {
    const { handler, time } = openGate(packetSale)
    expect(refusalOf(await handler(await buyEvent(time.now)))).toMatchObject({
      status: 409,
      code: 'conflict',
    })
  })

  it('throttles claims like buy requests (R2)', async () => {
    const strict = throttled({ perShopper: { limit: 1, windowSeconds: 60 } })
    const { handler, time } = openGate({ rules: { ...strict.rules, kind: 'red-packet' } })
    forwardedOf(await handler(await claimEvent(time.now)))
    expect(refusalOf(await handler(await claimEvent(time.now))).code).toBe('too-many-requests')
  })
})
