import { describe, expect, it } from 'vitest'
import { quietMs } from '../../../edge/memory/flags.ts'
import {
  buyEvent,
  challengeEvent,
  eventOf,
  forwardedOf,
  openGate,
  openInstance,
  orderChangeEvent,
  refusalOf,
  ruled,
  saleId,
  tokenAt,
} from '../support.ts'

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

  it('cannot buy, prepare, read or change an order (R8)', async () => {
    const { handler, store, time } = openGate(ruled({ challenge: 'pow' }))
    store.block('ip 203.0.113.7')
    const headers = { authorization: `Bearer ${await tokenAt(time.now)}` }
    const events = [
      await buyEvent(time.now),
      await challengeEvent(time.now),
      await orderChangeEvent(time.now),
      eventOf({ uri: '/api/orders', headers }),
    ]
    for (const event of events) expect(refusalOf(await handler(event)).code).toBe('blocked')
  })

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
  it('is refused from every address, and no other shopper is (R8)', async () => {
    const { changeOrder, handler, store, time } = openGate(ruled({ challenge: 'pow' }))
    store.block('shopper ann')
    const headers = { authorization: `Bearer ${await tokenAt(time.now)}` }
    const events = [
      await buyEvent(time.now, { clientIp: '198.51.100.1' }),
      await challengeEvent(time.now),
      await orderChangeEvent(time.now),
      eventOf({ uri: '/api/orders', headers }),
    ]
    for (const event of events) {
      expect(refusalOf(await handler(event))).toMatchObject({ status: 403, code: 'blocked' })
    }
    forwardedOf(await changeOrder({ claims: { sub: 'bob' } }))
    expect(store.asks).toEqual([])
  })

  it('is not recognised by a forged token', async () => {
    const { buy, store } = openGate()
    store.block('shopper ann')
    const refusal = refusalOf(await buy({ token: 'forged.for.ann' }))
    expect(refusal.code).toBe('sign-in-required')
  })
})
