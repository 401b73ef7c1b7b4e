import { describe, expect, it } from 'vitest'
import { buy, forwardedOf, openGate, openSale, refusalOf, saleId } from '../support.ts'

describe('the check for a known sale', () => {
  it('answers for a sale nobody published, and remembers that for a second (B2, B5)', async () => {
    const { handler, store, time } = openGate()
    const ask = async () =>
      refusalOf(await handler(await buy(time.now, { uri: '/api/sales/no-such/orders' })))
    for (let i = 0; i < 5; i++) expect(await ask()).toMatchObject({ status: 404, code: 'unknown-sale' })
    expect(store.reads).toEqual(['no-such'])
    time.now += 1001
    await ask()
    expect(store.reads).toHaveLength(2)
  })

  it('finds a sale within a second of its being published', async () => {
    const { handler, store, time } = openGate()
    const sale = store.sales[saleId]
    if (sale === undefined) throw new Error('the sale is there')
    delete store.sales[saleId]
    expect(refusalOf(await handler(await buy(time.now))).code).toBe('unknown-sale')
    store.sales[saleId] = openSale
    time.now += 1001
    forwardedOf(await handler(await buy(time.now)))
  })

  it('refuses everybody for now when the store is dark, and says when to come back (I6)', async () => {
    const { handler, store, time } = openGate()
    store.goDark()
    const delays = new Set<unknown>()
    for (let i = 0; i < 60; i++) {
      const refusal = refusalOf(await handler(await buy(time.now)))
      expect(refusal).toMatchObject({ status: 503, code: 'unavailable' })
      expect(refusal.headers['retry-after']).toBe(String(refusal.body.retryAfterSeconds))
      delays.add(refusal.body.retryAfterSeconds)
    }
    expect([...delays].sort()).toEqual([1, 2, 3])
    expect(store.reads).toHaveLength(1)
  })

  it('sells again by itself once the store is back (I6)', async () => {
    const { handler, store, time } = openGate()
    store.goDark()
    await handler(await buy(time.now))
    store.comeBack()
    time.now += 250
    forwardedOf(await handler(await buy(time.now)))
  })

  it('reports a store that failed without what was asked of it', async () => {
    const { handler, store, reports, time } = openGate()
    store.goDark()
    await handler(await buy(time.now))
    expect(reports).toEqual([
      { message: 'the gate store did not answer', details: { error: 'the store is dark' } },
    ])
  })
})
