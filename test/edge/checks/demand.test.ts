import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buyEvent, forwardedOf, openGate, refusalOf, saleId } from '../support.ts'

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
      const wrong = await buyEvent(time.now, { claims: { sub: shopperId }, body: JSON.stringify({ quantity: 0 }) })
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
