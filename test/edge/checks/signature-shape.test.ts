import { describe, expect, it } from 'vitest'
import { signatureHeaders, stripeSignatureHeaders } from '../../../core/orders/signature-headers.ts'
import { forwardedOf, openGate, refusalOf, signed, webhookEvent } from '../support.ts'

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
