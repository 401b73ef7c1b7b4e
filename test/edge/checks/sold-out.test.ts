import { describe, expect, it } from 'vitest'
import { buy, forwardedOf, openGate, refusalOf } from '../support.ts'

describe('the sold-out check', () => {
  it('tells the losing crowd from memory, one read for all of them (G4, L5, L6)', async () => {
    const { handler, store, time } = openGate({ soldOut: true })
    for (let i = 0; i < 1000; i++) {
      const refusal = refusalOf(await handler(await buy(time.now, { token: 'x.y.z' })))
      expect(refusal).toMatchObject({ status: 410, code: 'sold-out', body: { remaining: 0 } })
    }
    expect(store.reads).toHaveLength(1)
  })

  it('gives all of them the same frozen answer, built once', async () => {
    const { handler, time } = openGate({ soldOut: true })
    const first = await handler(await buy(time.now))
    expect(await handler(await buy(time.now))).toBe(first)
    expect(Object.isFrozen(first) && Object.isFrozen(first.headers['content-type']?.[0])).toBe(true)
  })

  it('sells again within a second of units coming back (G7, C8)', async () => {
    const { handler, store, time } = openGate({ soldOut: true })
    await handler(await buy(time.now))
    for (const sale of Object.values(store.sales)) sale.soldOut = false
    time.now += 1001
    forwardedOf(await handler(await buy(time.now)))
  })
})
