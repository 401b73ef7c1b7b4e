import { describe, expect, it } from 'vitest'
import { buyEvent, forwardedOf, openGate, refusalOf, startToken, unthrottled } from '../support.ts'

describe('the check of a buy request', () => {
  const { handler, time } = openGate(unthrottled)
  const send = async (body: string | Buffer) => handler(await buyEvent(time.now, { body }))
  const wrong = async (body: string | Buffer) => {
    const { status, body: document } = refusalOf(await send(body))
    return { status, code: document.code, field: document.field, detail: document.detail }
  }
  const withQuantity = (quantity: string) => `{"quantity":${quantity},"startToken":"${startToken}"}`

  it.each(['0', '-3', '1.5', '1e99', '"1"', 'null', 'true', '[1]', '1001', '{}'])(
    'refuses the quantity %s and names the field (S2, S5)',
    async (quantity) => {
      expect(await wrong(withQuantity(quantity))).toMatchObject({
        status: 400,
        code: 'invalid-request',
        field: 'quantity',
      })
    },
  )

  it.each(['1', '1.0', '1e0', '1000'])('takes the quantity %s', async (quantity) => {
    forwardedOf(await send(withQuantity(quantity)))
  })

  it('refuses a missing quantity', async () => {
    expect(await wrong(`{"startToken":"${startToken}"}`)).toMatchObject({ field: 'quantity' })
  })

  it('refuses a missing or malformed start token and names it (C6)', async () => {
    expect(await wrong('{"quantity":1}')).toMatchObject({ status: 400, field: 'startToken' })
    expect(await wrong('{"quantity":1,"startToken":"short"}')).toMatchObject({ field: 'startToken' })
    expect(await wrong('{"quantity":1,"startToken":null}')).toMatchObject({ field: 'startToken' })
  })

  it.each(['price', '__proto__', 'constructor', 'shopperId'])(
    'refuses the unknown field %s',
    async (name) => {
      const body = `{"quantity":1,"startToken":"${startToken}","${name}":1}`
      expect(await wrong(body)).toMatchObject({ status: 400, field: name })
    },
  )

  it.each(['', '{', 'null', '[]', '"x"', '1', 'NaN', '{"quantity":NaN}', '\u0000', '﻿{"quantity":1'])(
    'refuses the body %j',
    async (body) => {
      expect(await wrong(body)).toMatchObject({ status: 400, field: 'body' })
    },
  )

  it('refuses bytes that are not text', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"quantity":1,"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('":1}'),
    ])
    expect(await wrong(bytes)).toMatchObject({ status: 400, field: 'body' })
  })

  it('repeats nothing of what was sent', async () => {
    const { detail } = await wrong('{"quantity":"<script>alert(1)</script>","startToken":"x"}')
    expect(detail).not.toContain('script')
  })

  it('forwards the bytes unchanged, spaces included', async () => {
    const body = ` {\n"startToken" : "${startToken}" , "quantity" : 1 } `
    const { body: passed } = forwardedOf(await send(body))
    expect(Buffer.from(passed?.data ?? '', 'base64').toString()).toBe(body)
  })

  it.each(['', 'a b', 'x'.repeat(65), 'é', 'a\nb'])('refuses the idempotency key %j', async (key) => {
    const refusal = refusalOf(
      await handler(await buyEvent(time.now, { headers: { 'idempotency-key': key } })),
    )
    expect(refusal).toMatchObject({ status: 400, body: { field: 'Idempotency-Key' } })
  })

  it('refuses two idempotency keys', async () => {
    const headers = { 'idempotency-key': ['a', 'b'] }
    expect(refusalOf(await handler(await buyEvent(time.now, { headers }))).body.field).toBe('Idempotency-Key')
  })
})
