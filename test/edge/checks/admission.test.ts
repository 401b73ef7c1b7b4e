import { describe, expect, it } from 'vitest'
import { buyEvent, forwardedOf, openGate, openInstance, refusalOf, saleId, unthrottled } from '../support.ts'

const asAnybody = (index: number) => ({ claims: { sub: `shopper-${index}` } })

describe('the check for an admission', () => {
  it('forwards as many requests as there are admissions, over all instances, and asks the others to retry (G4, G5)', async () => {
    const first = openGate(unthrottled)
    const { store, time } = first
    store.replenish(saleId, 60)
    const fleet = [first, ...Array.from({ length: 19 }, () => openInstance(store, time))]
    let forwarded = 0
    for (let i = 0; i < 400; i++) {
      const { buy } = fleet[i % fleet.length] ?? first
      const answer = await buy(asAnybody(i))
      if ('uri' in answer) forwarded += 1
      else expect(refusalOf(answer)).toMatchObject({ status: 429, code: 'at-capacity' })
      time.now += 1
    }
    expect(forwarded).toBe(60)
    expect(store.asks.length).toBeLessThanOrEqual(60 + 2 * fleet.length)
  })

  it('answers requests beyond the admissions from memory, with the same prebuilt bytes for all (G4, L6)', async () => {
    const { buy, handler, store, time } = openGate(unthrottled)
    store.replenish(saleId, 0)
    const asked = refusalOf(await buy())
    expect(asked).toMatchObject({ status: 429, code: 'at-capacity' })
    const answers = new Set()
    const waits = new Set<unknown>()
    const event = await buyEvent(time.now, { token: 'x.y.z' })
    for (let i = 0; i < 200; i++) {
      const answer = await handler(event)
      answers.add(answer)
      const refusal = refusalOf(answer)
      expect(refusal.headers['retry-after']).toBe(String(refusal.body.retryAfterSeconds))
      expect(refusal.body.detail).toMatch(/At capacity/)
      waits.add(refusal.headers['retry-after'])
    }
    expect(waits, 'never asks for a longer wait than the gate itself needs').toEqual(new Set(['1', '2']))
    expect(answers.size, 'built once each').toBe(2)
    expect(store.asks).toHaveLength(1)
  })

  it('asks at once when the gate learns that units were returned (G7, O9)', async () => {
    const { buy, store, time } = openGate(unthrottled)
    store.replenish(saleId, 0)
    await buy(asAnybody(1))
    time.now += 501
    await buy(asAnybody(2))
    const sale = store.sales[saleId]
    if (sale === undefined) throw new Error('the sale is there')
    store.sales[saleId] = { ...sale, restockedRevision: 1 }
    store.replenish(saleId, 3)
    time.now += 501
    await buy(asAnybody(3))
    forwardedOf(await buy(asAnybody(4)))
    expect(time.now, 'sooner than the pause').toBeLessThan(openGate().time.now + 1900)
  })

  it('asks for nothing when the sale is sold out (G4)', async () => {
    const { buy, store, time } = openGate({ soldOut: true })
    for (let i = 0; i < 10; i++) {
      await buy()
      time.now += 5000
    }
    expect(store.asks).toEqual([])
  })

  it('answers sold out from memory as soon as every unit is booked, before the flags say so (G4, L5)', async () => {
    const { buy, store } = openGate()
    store.replenish(saleId, 10, { booked: 10, ratio: 1.2 })
    const late = async () => refusalOf(await buy())
    for (let i = 0; i < 10; i++) {
      const body = { remaining: 0, lookup: `/api/orders?sale=${saleId}` }
      expect(await late()).toMatchObject({ status: 410, code: 'sold-out', body })
    }
    expect(store.asks).toHaveLength(1)
  })
})
