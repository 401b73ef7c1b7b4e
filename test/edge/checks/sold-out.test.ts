import { describe, expect, it } from 'vitest'
import { buyEvent, forwardedOf, openGate, openSaleFacts, refusalOf, ruled, saleId, startToken } from '../support.ts'

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
