import { describe, expect, it } from 'vitest'
import { buyEvent, forwardedOf, openGate, refusalOf, saleId, sent, startToken, unthrottled } from '../support.ts'

/** Every wrong field of it is in test/core/api/requests.test.ts. */
describe('the check of a buy request', () => {
  const { buy, handler, time } = openGate(unthrottled)
  const send = async (body: string | Buffer) => buy({ body })
  const bytes = Buffer.concat([Buffer.from('{"quantity":1,"'), Buffer.of(0xff, 0xfe), Buffer.from('":1}')])

  it.each<[string, string | Buffer]>([
    ['quantity', `{"quantity":0,"startToken":"${startToken}"}`],
    ['quantity', '{"quantity":"<script>alert(1)</script>","startToken":"x"}'],
    ['startToken', '{"quantity":1}'],
    ['price', `{"quantity":1,"startToken":"${startToken}","price":1}`],
    ['__proto__', `{"quantity":1,"startToken":"${startToken}","__proto__":{"quantity":9}}`],
    ['body', ''],
    ['body', bytes],
  ])('refuses a wrong %s by its name, and repeats nothing of what was sent: %j (S2, S5, C6)', async (field, body) => {
    const { status, body: document } = refusalOf(await send(body))
    expect({ status, ...document }).toMatchObject({ status: 400, code: 'invalid-request', field })
    expect(document.detail).not.toContain('script')
  })

  it.each(['1', '1.0', '1e0', '1000'])('takes the quantity %s', async (quantity) => {
    forwardedOf(await send(`{"quantity":${quantity},"startToken":"${startToken}"}`))
  })

  it('forwards the address of the page, by which the order is counted to a source', async () => {
    const referer = 'https://shop.example/sales/phone/?utm_source=news'
    const { headers } = forwardedOf(await handler(await buyEvent(time.now, { headers: { referer } })))
    expect(headers.referer).toEqual([{ key: 'referer', value: referer }])
  })

  it('forwards the bytes unchanged, spaces included', async () => {
    const body = ` {\n"startToken" : "${startToken}" , "quantity" : 1 } `
    const { body: passed } = forwardedOf(await send(body))
    expect(Buffer.from(passed?.data ?? '', 'base64').toString()).toBe(body)
  })

  it.each<string | string[]>(['', 'a b', 'x'.repeat(65), 'é', 'a\nb', ['a', 'b']])(
    'refuses the idempotency key %j',
    async (key) => {
      const event = await buyEvent(time.now, { headers: { 'idempotency-key': key } })
      expect(refusalOf(await handler(event))).toMatchObject({ status: 400, body: { field: 'Idempotency-Key' } })
    },
  )
})

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
