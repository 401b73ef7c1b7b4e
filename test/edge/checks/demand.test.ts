import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buyEvent, forwardedOf, openGate, refusalOf, saleId, tokenAt } from '../support.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const aSecond = () => vi.advanceTimersByTimeAsync(1000)

describe('the demand for a sale', () => {
  it('is counted by outcome and sent once a second, beside the requests', async () => {
    const { buy, handler, store, time } = openGate()
    forwardedOf(await buy())
    for (const shopperId of ['bob', 'cid']) {
      const wrong = await buyEvent(time.now, {
        claims: { sub: shopperId },
        body: JSON.stringify({ quantity: 0 }),
      })
      expect(refusalOf(await handler(wrong)).code).toBe('invalid-request')
    }
    expect(store.demand).toEqual([])
    await aSecond()
    expect(store.demand).toEqual([[saleId, { forwarded: 1, 'invalid-request': 2 }]])
    await aSecond()
    expect(store.demand).toHaveLength(1)
  })

  it('is counted for prebuilt answers as well', async () => {
    const { buy, store, time } = openGate({ soldOut: true })
    for (let i = 0; i < 3; i += 1) await buy()
    const early = openGate({ startsAt: time.now + 60_000 })
    await early.handler(await buyEvent(time.now))
    await aSecond()
    expect(store.demand).toEqual([[saleId, { 'sold-out': 3 }]])
    expect(early.store.demand).toEqual([[saleId, { 'not-started': 1 }]])
  })

  it('is sent by the next request where the timer has not run, as in an instance that was frozen', async () => {
    const { buy, store, time } = openGate({ soldOut: true })
    await buy()
    time.now += 60_000
    await buy()
    expect(store.demand).toEqual([[saleId, { 'sold-out': 2 }]])
    await aSecond()
    expect(store.demand).toHaveLength(1)
  })

  it('has no count for a sale that does not exist: made-up names would fill the store', async () => {
    const { buy, store } = openGate()
    await buy({ uri: '/api/sales/made-up/orders' })
    await buy({ uri: '/api/sales/made-up/orders', method: 'GET' })
    await aSecond()
    expect(store.demand).toEqual([])
  })

  it('keeps who was refused, proven by the token also where the gate refused before it looked at one', async () => {
    const { handler, store, time } = openGate({ soldOut: true })
    const good = await tokenAt(time.now, { claims: { sub: 'bob' } })
    const forged = `${good.slice(0, good.lastIndexOf('.'))}.${'A'.repeat(86)}`
    for (const token of [good, forged]) await handler(await buyEvent(time.now, { token }))
    await aSecond()
    const at = Math.floor(time.now / 1000) * 1000
    expect(store.noted).toEqual([{ saleId, shopperId: 'bob', code: 'sold-out', at }])
  })

  it('keeps the first eight of a second, and no request that went on to the stock', async () => {
    const { buy, store } = openGate({ soldOut: true })
    for (let i = 0; i < 20; i += 1) await buy({ claims: { sub: `shopper-${i}` } })
    await aSecond()
    expect(store.noted.map(({ shopperId }) => shopperId)).toEqual(Array.from({ length: 8 }, (_, i) => `shopper-${i}`))
    const open = openGate()
    forwardedOf(await open.buy())
    await aSecond()
    expect(open.store.noted).toEqual([])
  })

  it('keeps eight of the first second and of every fifth where more came in each: a note is a command', async () => {
    const { buy, store, time } = openGate({ soldOut: true })
    const kept: number[] = []
    for (let second = 0; second < 11; second += 1) {
      for (let i = 0; i < 10; i += 1) await buy({ claims: { sub: `shopper-${i}` } })
      await aSecond()
      time.now += 1000
      kept.push(store.noted.length)
    }
    expect(kept).toEqual([8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 24])
    expect(store.demand.flatMap(([, counts]) => counts['sold-out'] ?? []).reduce((a, b) => a + b)).toBe(110)
  })

  it('sends what a busy instance kept with its next counts, however long it was silent', async () => {
    const { buy, store, time } = openGate({ soldOut: true })
    for (let second = 0; second < 2; second += 1) {
      for (let i = 0; i < 10; i += 1) await buy({ claims: { sub: `shopper-${second}-${i}` } })
      await aSecond()
      time.now += 1000
    }
    expect(store.noted).toHaveLength(8)
    time.now += 60_000
    await buy({ claims: { sub: 'late' } })
    await aSecond()
    const of = (second: number) => Array.from({ length: 8 }, (_, i) => `shopper-${second}-${i}`)
    expect(store.noted.map(({ shopperId }) => shopperId)).toEqual([...of(0), ...of(1)])
  })

  it('is lost and not counted twice while the store does not answer', async () => {
    const { buy, store } = openGate()
    await buy()
    store.goDown()
    await aSecond()
    store.comeUp()
    await buy({ claims: { sub: 'bob' } })
    await aSecond()
    expect(store.demand).toEqual([[saleId, { forwarded: 1 }]])
  })
})
