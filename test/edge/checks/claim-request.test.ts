import { describe, expect, it } from 'vitest'
import { forwardedOf, openGate, refusalOf, saleId, sent, startToken, throttled, unthrottled } from '../support.ts'

const packetSale = { rules: { ...unthrottled.rules, kind: 'red-packet' } } as const

describe('the check of a claim', () => {
  const { claim } = openGate(packetSale)
  const wrong = async (body: string) => refusalOf(await claim({ body })).body

  it('accepts the token of the epoch, alone or with a solved challenge (P2)', async () => {
    forwardedOf(await claim())
    const body = JSON.stringify({ startToken, challenge: 'c29sdmVk' })
    forwardedOf(await claim({ body }))
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
    const request = forwardedOf(await gate.claim({ querystring: 'x=1' }))
    expect(request.querystring).toBe('')
    expect(sent(request, 'x-admission')).toHaveLength(1)
  })
})

describe('the check of the kind', () => {
  it('throttles claims like buy requests (R2)', async () => {
    const strict = throttled({ perShopper: { limit: 1, windowSeconds: 60 } })
    const { claim } = openGate({ rules: { ...strict.rules, kind: 'red-packet' } })
    forwardedOf(await claim())
    expect(refusalOf(await claim()).code).toBe('too-many-requests')
  })
})
