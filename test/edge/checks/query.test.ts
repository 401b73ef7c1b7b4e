import { describe, expect, it } from 'vitest'
import { eventOf, forwardedOf, openGate, refusalOf, tokenAt } from '../support.ts'

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

  it('forwards a plain query unchanged', async () => {
    expect(forwardedOf(await read('sale=phone-42')).querystring).toBe('sale=phone-42')
  })

  it.each(['<script>', 'a b', 'x=\n', `a=${'x'.repeat(600)}`])('refuses %j', async (querystring) => {
    expect(refusalOf(await read(querystring))).toMatchObject({ status: 400, body: { field: 'query' } })
    const answer = await control({ method: 'GET', querystring })
    expect(refusalOf(answer).code).toBe('invalid-request')
  })
})
