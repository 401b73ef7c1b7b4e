import { calculateJwkThumbprint } from 'jose'
import { describe, expect, it } from 'vitest'
import { quietMs } from '../../../edge/memory/flags.ts'
import { inSample } from '../../whole-plays.ts'
import {
  buyEvent,
  challengeEvent,
  controlEvent,
  eventOf,
  forwardedOf,
  gateSettings,
  openGate,
  openInstance,
  orderChangeEvent,
  publicJwk,
  refusalOf,
  ruled,
  saleId,
  sent,
  tokenAt,
} from '../support.ts'

describe.each([
  ['address', 'ip 203.0.113.7', '203.0.113.7'],
  ['shopper', 'shopper ann', '198.51.100.1'],
])('a blocked %s', (_, field, clientIp) => {
  it('cannot buy, prepare, read or change an order, and no other shopper elsewhere is blocked (R8)', async () => {
    const { changeOrder, handler, store, time } = openGate(ruled({ challenge: 'pow' }))
    store.block(field)
    const headers = { authorization: `Bearer ${await tokenAt(time.now)}` }
    const events = [
      await buyEvent(time.now, { clientIp }),
      await challengeEvent(time.now, { clientIp }),
      await orderChangeEvent(time.now, { clientIp }),
      eventOf({ uri: '/api/orders', headers, clientIp }),
    ]
    for (const event of events) {
      expect(refusalOf(await handler(event))).toMatchObject({ status: 403, code: 'blocked' })
    }
    forwardedOf(await changeOrder({ claims: { sub: 'bob' }, clientIp: '198.51.100.2' }))
    expect(store.asks).toEqual([])
  })
})

describe('a blocked address', () => {
  it.each([
    ['203.0.113.7', 'ip 203.0.113.7'],
    ['203.0.113.7', 'ip 203.0.113.0/24'],
    ['2001:db8::7', 'ip 2001:db8::/32'],
  ])(
    '%s is refused for %s before its session and its sale are checked, and the first request says so (R8)',
    async (clientIp, field) => {
      const { buy, store, time } = openGate({ flag: 'off' })
      store.block(field)
      const refusal = refusalOf(await buy({ clientIp, token: 'x.y.z' }))
      expect(refusal).toMatchObject({ status: 403, code: 'blocked' })
      expect(store.reads, 'in the one request of a cold instance').toEqual([saleId])
      time.now += 400
      await buy({ clientIp, token: 'x.y.z' })
      expect(store.reads, 'nothing more is asked about the sale').toEqual([saleId])
    },
  )

  it('is refused by every instance two seconds after it was set, and admitted as soon after its end (R8)', async () => {
    const first = openGate()
    const { store, time } = first
    const fleet = [first, ...Array.from({ length: 9 }, () => openInstance(store, time))]
    const verdicts = async () => {
      const codes = new Set<unknown>()
      for (const { buy } of fleet) {
        const answer = await buy({ claims: { sub: `s${codes.size}-${time.now}` } })
        codes.add('uri' in answer ? 'forwarded' : refusalOf(answer).code)
      }
      return [...codes]
    }
    expect(await verdicts()).toEqual(['forwarded'])
    for (const [what, after] of [
      ['block', 'blocked'],
      ['unblock', 'forwarded'],
    ] as const) {
      time.now += 400
      await verdicts()
      store[what]('ip 203.0.113.7')
      // Traffic keeps the lists fresh, a pause does not: both must see the change in time.
      for (let passed = 0; passed < 2000; passed += 250) {
        time.now += 250
        if (passed < 1000) await verdicts()
      }
      expect(await verdicts()).toEqual([after])
    }
  })

  it('of a quiet sale is refused like all others, and passes once the block and the quiet are over (R8)', async () => {
    const { buy, store, time } = openGate({ soldOut: true })
    const code = async () => refusalOf(await buy()).code
    expect(await code()).toBe('sold-out')
    store.block('ip 203.0.113.7')
    time.now += 2000
    expect(await code(), 'no list is read for it').toBe('sold-out')
    for (const sale of Object.values(store.sales)) sale.soldOut = false
    time.now += quietMs + 1
    expect(await code(), 'before anything is forwarded').toBe('blocked')
    store.unblock('ip 203.0.113.7')
    time.now += 1001
    forwardedOf(await buy())
  })
})

describe('a blocked shopper', () => {
  /** Requests outside of sales, by shoppers and shops. */
  const outsideOfSales = async (now: number, sub = 'ann') => {
    const headers = { authorization: `Bearer ${await tokenAt(now, { claims: { sub } })}` }
    const uris = ['/api/me', '/api/orders', '/api/wallet', '/api/pass']
    return [...uris.map((uri) => eventOf({ uri, headers })), await orderChangeEvent(now, { claims: { sub } })]
  }

  it('is refused by the first request to any of many gates that were idle, two seconds after the block (R8)', async () => {
    const first = openGate()
    const { store, time } = first
    const fleet = [first, ...Array.from({ length: 63 }, () => openInstance(store, time))]
    for (const { changeOrder } of fleet) forwardedOf(await changeOrder())
    const shoppers = Array.from({ length: inSample(384, 10_000) }, (_, at) => `ann-${at}`)
    for (const shopper of shoppers) store.block(`shopper ${shopper}`)
    time.now += 2000
    for (const [at, shopper] of shoppers.entries()) {
      const control = await controlEvent(time.now, { claims: { sub: shopper, roles: ['marketer'] } })
      const events = [...(await outsideOfSales(time.now, shopper)), control]
      const event = events[Math.floor(at / fleet.length) % events.length]
      const answer = event && (await fleet[at % fleet.length]?.handler(event))
      expect(answer && refusalOf(answer).code, shopper).toBe('blocked')
    }
  })

  it('sees nothing while the list cannot be read, and neither does anybody by a key that may be blocked (R8, I6)', async () => {
    const { handler, store, time } = openGate()
    for (const event of await outsideOfSales(time.now)) await handler(event)
    store.goDown()
    time.now += 2001
    for (const event of await outsideOfSales(time.now))
      expect(refusalOf(await handler(event))).toMatchObject({ status: 503, code: 'unavailable' })
    store.comeUp()
    time.now += 1000
    forwardedOf(await handler(await orderChangeEvent(time.now)))
  })
})

describe('a blocked session key', () => {
  it('ends every session that it has signed, of shoppers and of staff, with or without a name of its own (R8)', async () => {
    const named = 'key-1'
    for (const [publicKeys, keyId] of [
      [[publicJwk], await calculateJwkThumbprint(publicJwk)],
      [[{ ...publicJwk, kid: named }], named],
    ] as const) {
      const { handler, store, time } = openGate()
      const settings = gateSettings({ publicKeys })
      const events = async () => [
        await buyEvent(time.now, { settings }),
        await orderChangeEvent(time.now, { settings }),
        await controlEvent(time.now, { settings, headers: { 'x-session-key': 'forged' } }),
      ]
      for (const event of await events()) forwardedOf(await handler(event))
      const [, , control] = await events()
      expect(control && sent(forwardedOf(await handler(control)), 'x-session-key')).toEqual([keyId])
      store.block(`session-key ${keyId}`)
      time.now += 2000
      for (const event of await events()) {
        expect(refusalOf(await handler(event))).toMatchObject({ status: 401, code: 'sign-in-required' })
      }
    }
  })
})
