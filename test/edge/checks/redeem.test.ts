/** Tills at the gate: a shop key of the right form passes, with nothing that a client could forge. */
import { describe, expect, it } from 'vitest'
import { maxRedeemBytes } from '../../../core/body-limits.ts'
import { type EventParts, eventOf, forwardedOf, openGate, refusalOf, sent, tokenAt } from '../support.ts'

const uri = '/api/control/coupons/ABCD-EFGH-JKMN-PQRS-TVWX/redeem'
const key = `till-1.${'k'.repeat(43)}`
const token = await tokenAt(2_000_000_000_000)
const bearer = { authorization: `Bearer ${key}` }

const call = (change: EventParts = {}) => eventOf({ method: 'POST', uri, headers: bearer, ...change })

describe('a web shop at the gate', () => {
  it.each(['confirm', 'release'])(
    'reports with its key to %s an order, and to do nothing else with it',
    async (verb) => {
      const { handler } = openGate()
      const order = `/api/control/reservations/stoneware-mug-${'a'.repeat(26)}`
      const request = forwardedOf(await handler(call({ uri: `${order}/${verb}` })))
      expect(sent(request, 'x-shop-key')).toEqual([key])
      for (const uri of [order, `${order}/refund`, `/api/control/reservations/mug/${verb}`])
        expect(refusalOf(await handler(call({ uri }))).status, uri).toBeGreaterThanOrEqual(401)
    },
  )
})

describe('a till at the gate', () => {
  it('passes with its key, its idempotency key and its address, and without a session (S7)', async () => {
    const { handler } = openGate()
    const headers = { ...bearer, 'idempotency-key': 'request-1', cookie: 'sluice_session=a.b.c' }
    const request = forwardedOf(await handler(call({ headers, clientIp: '203.0.113.9' })))
    expect(sent(request, 'x-shop-key')).toEqual([key])
    expect(sent(request, 'x-shop-address')).toEqual(['203.0.113.9'])
    expect(sent(request, 'idempotency-key')).toEqual(['request-1'])
    for (const name of ['authorization', 'cookie', 'x-shopper-id', 'x-shopper-roles'])
      expect(sent(request, name), name).toEqual([])
  })

  it('may send spaces in and around the code, as a person types it, and nothing else that is encoded', async () => {
    const { handler } = openGate()
    const path = (code: string) => `/api/control/coupons/${code}/redeem`
    for (const code of ['%20ABCD-EFGH-JKMN-PQRS-TVWX', 'ABCD%20EFGH%20JKMN%20PQRS%20TVWX%20'])
      expect(forwardedOf(await handler(call({ uri: path(code) }))).uri, code).toBe(path(code))
    for (const code of ['%20', 'ABCD%2fEFGH', 'ABCD%2e', '%20..'])
      expect(refusalOf(await handler(call({ uri: path(code) }))).status, code).toBeGreaterThanOrEqual(401)
  })

  it('cannot forge the headers of the gate, nor become a marketer', async () => {
    const { handler } = openGate()
    const forged = { 'x-shop-key': 'other.key', 'x-shop-address': '1.2.3.4', 'x-shopper-roles': 'marketer' }
    const request = forwardedOf(await handler(call({ headers: { ...bearer, ...forged } })))
    expect(sent(request, 'x-shop-key')).toEqual([key])
    expect(sent(request, 'x-shop-address')).not.toEqual(['1.2.3.4'])
    expect(sent(request, 'x-shopper-roles')).toEqual([])
    const elsewhere = await handler(call({ uri: '/api/control/sales', method: 'GET' }))
    expect(refusalOf(elsewhere)).toMatchObject({ status: 401, code: 'sign-in-required' })
  })

  it('is refused within two seconds of the block of its key, and a till with another key is not (R8)', async () => {
    const { handler, store, time } = openGate()
    forwardedOf(await handler(call()))
    store.block('shop-key till-1')
    time.now += 2000
    expect(refusalOf(await handler(call()))).toMatchObject({ status: 403, code: 'blocked' })
    const other = { authorization: `Bearer till-2.${'k'.repeat(43)}` }
    forwardedOf(await handler(call({ headers: other })))
  })

  it.each([
    ['no key', {}],
    ['a session token', { authorization: `Bearer ${token}` }],
    ['a short key', { authorization: `Bearer ${key.slice(0, -1)}` }],
    ['a key without a name', { authorization: `Bearer ${'k'.repeat(43)}` }],
    ['basic authentication', { authorization: `Basic ${key}` }],
    ['a key behind another', { authorization: `Bearer ${key}, Bearer ${key}` }],
  ])('is refused with %s', async (_name, headers) => {
    const { handler } = openGate()
    expect(refusalOf(await handler(call({ headers })))).toMatchObject({ status: 401, code: 'sign-in-required' })
  })

  it('is refused with another method, and a large body', async () => {
    const { handler } = openGate()
    expect(refusalOf(await handler(call({ method: 'GET' })))).toMatchObject({ status: 405 })
    const body = JSON.stringify({ reference: 'r'.repeat(maxRedeemBytes) })
    const json = { ...bearer, 'content-type': 'application/json' }
    expect(refusalOf(await handler(call({ body, headers: json })))).toMatchObject({ status: 413 })
  })
})
