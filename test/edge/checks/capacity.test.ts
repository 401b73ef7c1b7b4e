import { describe, expect, it } from 'vitest'
import {
  buyEvent,
  forwardedOf,
  openGate,
  openInstance,
  openSaleFacts,
  refusalOf,
  ruled,
  saleId,
  startToken,
  unthrottled,
} from '../support.ts'

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

describe('the rate of a sale at the gate (R4)', () => {
  it('is not used up by requests that fail another check: abuse does not starve honest shoppers', async () => {
    const { buy, store } = openGate(unthrottled)
    store.replenish(saleId, 1000, { rate: 1 })
    const wrong = [
      { headers: { origin: 'https://evil.example' } },
      { body: '{}' },
      { token: 'no.such.token' },
      { body: JSON.stringify({ quantity: 1, startToken: 'x'.repeat(38) }) },
    ]
    for (const [nth, change] of wrong.entries()) {
      refusalOf(await buy({ claims: { sub: `fool-${nth}` }, ...change }))
    }
    expect(store.asks).toHaveLength(0)
    forwardedOf(await buy({ claims: { sub: 'ann' } }))
  })

  it('does not count against a shopper whom it refuses (R2)', async () => {
    const { buy, store, time } = openGate({
      rules: {
        ...unthrottled.rules,
        throttle: { ...unthrottled.rules.throttle, perShopper: { limit: 1, windowSeconds: 60 } },
      },
    })
    store.replenish(saleId, 1000, { rate: 1 })
    const send = async (sub: string) => buy({ claims: { sub } })
    for (let turn = 0; turn < 5; turn += 1) {
      forwardedOf(await send(`other-${turn}`))
      expect(refusalOf(await send('ann')).code).toBe('at-capacity')
      time.now += 2000
    }
    forwardedOf(await send('ann'))
  })
})

describe('the refusals that end a purchase', () => {
  it('name where the shopper finds the order of an earlier request, since the gate knows no orders (I5)', async () => {
    const endings = [
      { facts: { soldOut: true }, code: 'sold-out', change: {} },
      { facts: { flag: 'closed' }, code: 'ended', change: {} },
      { facts: {}, code: 'stale-page', change: { body: JSON.stringify({ quantity: 1, startToken: 'x'.repeat(38) }) } },
    ] as const
    for (const { facts, code, change } of endings) {
      const shop = openGate(facts)
      const refusal = refusalOf(await shop.buy(change))
      expect(refusal).toMatchObject({ code, body: { lookup: `/api/orders?sale=${saleId}` } })
      const packetSale = openGate({ ...facts, ...ruled({ kind: 'red-packet' }) })
      const body = { body: JSON.stringify({ startToken: code === 'stale-page' ? 'x'.repeat(38) : startToken }) }
      expect(refusalOf(await packetSale.claim(body))).toMatchObject({ code, body: { lookup: '/api/wallet' } })
    }
  })

  it('name the path of their own sale', async () => {
    const { buy, store } = openGate({ soldOut: true })
    store.sales['other-sale'] = { ...openSaleFacts, soldOut: true }
    for (const sale of [saleId, 'other-sale', saleId]) {
      const { body } = refusalOf(await buy({ uri: `/api/sales/${sale}/orders` }))
      expect(body.lookup).toBe(`/api/orders?sale=${sale}`)
    }
  })
})

describe('the sold-out check', () => {
  it('answers all losing requests from memory, with one read (G4, L3, L5, L6)', async () => {
    const { buy, store } = openGate({ soldOut: true })
    for (let i = 0; i < 1000; i++) {
      const refusal = refusalOf(await buy({ token: 'x.y.z' }))
      expect(refusal).toMatchObject({ status: 410, code: 'sold-out', body: { remaining: 0 } })
    }
    expect(store.reads).toHaveLength(1)
  })

  it('gives all of them the same frozen answer, built once', async () => {
    const { buy } = openGate({ soldOut: true })
    const first = await buy()
    expect(await buy()).toBe(first)
    expect(Object.isFrozen(first) && Object.isFrozen(first.headers['content-type']?.[0])).toBe(true)
  })
})

describe('the check of sold-out variants', () => {
  const order = (variant: unknown) => ({ body: JSON.stringify({ quantity: 2, variant, startToken }) })
  const gone = { soldOutVariants: { revision: 2, ids: ['s', 'xs'] }, restockedRevision: 2 }

  it('refuses an order of one of them from memory, and names it (N1, G4)', async () => {
    const { buy, store } = openGate(gone)
    for (let turn = 0; turn < 3; turn += 1) {
      const refusal = refusalOf(await buy(order('s')))
      expect(refusal).toMatchObject({
        status: 410,
        code: 'sold-out',
        body: { detail: 'Sold out in this choice.', variant: 's', lookup: `/api/orders?sale=${saleId}` },
      })
      expect(refusal.body).not.toHaveProperty('remaining')
    }
    expect([store.reads.length, store.asks.length]).toEqual([1, 0])
  })

  it('forwards an order of another variant as it came, and a purchase without one (N1)', async () => {
    const { buy, handler, time } = openGate(gone)
    const event = await buyEvent(time.now, order('m'))
    const forwarded = forwardedOf(await handler(event))
    expect(Buffer.from(forwarded.body?.data ?? '', 'base64').toString()).toBe(order('m').body)
    forwardedOf(await buy())
  })

  it('no longer refuses them once units were added in a later revision of the stock (N1, G7)', async () => {
    const { buy } = openGate({ ...gone, restockedRevision: 3 })
    forwardedOf(await buy(order('s')))
  })

  it('comes after the body was read: a malformed variant is invalid (N1, S2)', async () => {
    const { buy } = openGate(gone)
    for (const variant of [{ s: 1 }, 'S', '', [], 7]) {
      const refusal = refusalOf(await buy(order(variant)))
      expect(refusal).toMatchObject({ status: 400, body: { field: 'variant' } })
    }
  })
})
