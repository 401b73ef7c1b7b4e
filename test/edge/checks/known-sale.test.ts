import { describe, expect, it } from 'vitest'
import { maxFilterAgeMs } from '../../../core/gate/sale-filter.ts'
import { buyEvent, forwardedOf, openGate, openSaleFacts, refusalOf, saleId, saleIdOf } from '../support.ts'

describe('the check for a known sale', () => {
  it('remembers briefly that a sale is not published, and without a filter does not say so (B2, B5, I6)', async () => {
    const { buy, store, time } = openGate()
    const ask = async () => refusalOf(await buy({ uri: '/api/sales/no-such/orders' }))
    for (let i = 0; i < 5; i++) expect(await ask()).toMatchObject({ status: 503, code: 'unavailable' })
    expect(store.reads).toEqual(['no-such'])
    time.now += 1001
    await ask()
    expect(store.reads).toHaveLength(2)
  })
})

describe('the filter of sale ids', () => {
  const madeUp = (index: number) => `/api/sales/made-up-${index}/orders`

  it('refuses a flood of invented ids, and asks the store only for those that pass the filter (B4)', async () => {
    const { buy, store, time } = openGate()
    store.publishFilter()
    const answers: Record<string, number> = {}
    const token = 'a.b.c'
    for (let i = 0; i < 20_000; i++) {
      const { code } = refusalOf(await buy({ uri: madeUp(i), token }))
      answers[String(code)] = (answers[String(code)] ?? 0) + 1
      if (i % 200 === 0) time.now += 100
    }
    const { 'unknown-sale': unknown = 0, unavailable = 0, ...others } = answers
    expect(others).toEqual({})
    expect(unknown + unavailable).toBe(20_000)
    expect(unavailable, 'false positives').toBeLessThanOrEqual(20)
    const inFirstRequest = 1
    expect(store.reads.length).toBeLessThanOrEqual(unavailable + inFirstRequest)
    const quartersOfSeconds = 40
    const lists = 2
    expect(store.listReads.length, 'follow the time and not the flood').toBeLessThanOrEqual(
      quartersOfSeconds + 1 + lists,
    )
    expect(store.asks).toEqual([])
  })

  it('rejects no sale that was listed a quarter of a second ago, even right after reading the list (B4)', async () => {
    const { buy, store, time } = openGate()
    store.publishFilter()
    const newest = saleIdOf('brand-new')
    const ask = async () => buy({ uri: `/api/sales/${newest}/orders` })
    expect(refusalOf(await ask()).code).toBe('unknown-sale')
    time.now += 10
    store.list(newest)
    store.publishFilter()
    time.now += maxFilterAgeMs + 1
    forwardedOf(await ask())
  })

  it('rejects no sale while it cannot read what was listed since (I6)', async () => {
    const { buy, store, time } = openGate()
    store.publishFilter()
    const ask = async () => refusalOf(await buy({ uri: madeUp(1) })).code
    expect(await ask()).toBe('unknown-sale')
    store.goDown()
    time.now += 2000
    expect(await ask()).toBe('unavailable')
  })

  it('never answers unknown-sale for a listed sale that its store has lost: requests wait for the repair (B3)', async () => {
    const { buy, store, time } = openGate()
    store.publishFilter()
    delete store.sales[saleId]
    for (let i = 0; i < 20; i++) {
      const refusal = refusalOf(await buy())
      expect(refusal).toMatchObject({ status: 503, code: 'unavailable' })
      expect(['1', '2', '3']).toContain(refusal.headers['retry-after'])
    }
    expect(store.reads).toHaveLength(1)
    store.sales[saleId] = openSaleFacts
    time.now += 1001
    forwardedOf(await buy())
  })

  it('is not needed where the store has lost it: a known sale is still found (B4)', async () => {
    const { buy, store, time } = openGate()
    store.publishFilter()
    forwardedOf(await buy())
    store.loseLists()
    store.sales['later-sale'] = openSaleFacts
    time.now += 1001
    forwardedOf(await buy({ uri: '/api/sales/later-sale/orders' }))
    expect(refusalOf(await buy({ uri: madeUp(1) })).code).toBe('unavailable')
  })
})

describe('look-ups of sales that do not exist', () => {
  const madeUp = (index: number) => `/api/sales/made-up-${index}/orders`
  const send = async ({ buy }: ReturnType<typeof openGate>, uri: string) => buy({ uri, token: 'a.b.c' })

  /** A filter that rejects nothing, as if every id had been chosen to pass it. */
  function blindFilter(store: ReturnType<typeof openGate>['store']) {
    const { filter } = store
    store.filter = async () => (await filter())?.map((byte, at) => (at < 16 ? byte : 0xff))
    store.list(saleId)
    store.publishFilter()
  }

  it.each([
    ['that pass the filter', (store: ReturnType<typeof openGate>['store']) => blindFilter(store)],
    ['while there is no filter', (store: ReturnType<typeof openGate>['store']) => store.list(saleId)],
  ])('are ten a second for ids %s, and one of the list for each of its versions (B4, B5)', async (_, prepare) => {
    const gate = openGate()
    prepare(gate.store)
    const seconds = 3
    for (let index = 0; index < 300 * seconds; index += 1) {
      if (index % 300 === 0) gate.time.now += 1000
      const { code } = refusalOf(await send(gate, madeUp(index)))
      expect(['unavailable', 'unknown-sale']).toContain(code)
    }
    const inFirstRequest = 1
    expect(gate.store.reads.length).toBeLessThanOrEqual(10 * seconds + inFirstRequest)
    expect(gate.store.listReads.filter((what) => what === 'sales')).toHaveLength(1)
  })

  it('are ten a second for ids that come together too: each counts before its answer (B4)', async () => {
    const gate = openGate()
    blindFilter(gate.store)
    await send(gate, madeUp(100))
    gate.time.now += 1000
    gate.store.reads.length = 0
    await Promise.all(Array.from({ length: 50 }, (_, index) => send(gate, madeUp(index))))
    expect(gate.store.reads).toHaveLength(10)
  })

  it('do not keep a real sale, or the newest one, from being found by this instance (B3)', async () => {
    const gate = openGate()
    const { store, time } = gate
    blindFilter(store)
    for (let index = 0; index < 300; index += 1) await send(gate, madeUp(index))
    forwardedOf(await gate.handler(await buyEvent(time.now)))
    const newest = saleIdOf('brand-new')
    store.list(newest)
    time.now += maxFilterAgeMs + 1
    for (let index = 0; index < 300; index += 1) await send(gate, madeUp(1000 + index))
    forwardedOf(await gate.handler(await buyEvent(time.now, { uri: `/api/sales/${newest}/orders` })))
  })

  it('admit no request where the list cannot be read either (I6)', async () => {
    const gate = openGate()
    blindFilter(gate.store)
    gate.store.saleIds = async () => {
      throw new Error('no list')
    }
    for (let index = 0; index < 50; index += 1) {
      expect(refusalOf(await send(gate, madeUp(index))).code).toBe('unavailable')
    }
  })
})
