import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { maxFilterAgeMs } from '../../../core/gate/sale-filter.ts'
import { createFlags, type Known, quietMs } from '../../../edge/memory/flags.ts'
import type { GateFacts } from '../../../edge/memory/gate-store.ts'
import { fakeStore, openSaleFacts, saleId, saleIdOf, startOfTests } from '../support.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: startOfTests })
})
afterEach(() => {
  vi.useRealTimers()
})

function open(facts: Partial<GateFacts> = {}) {
  const store = fakeStore({ [saleId]: { ...openSaleFacts, ...facts } })
  const failures: unknown[] = []
  const flags = createFlags(store, Date.now, (error) => failures.push(error))
  return { store, flags, failures }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const kindOf = (known: Known | Promise<Known>) => (known instanceof Promise ? 'asking' : known.kind)

describe('the flags in memory', () => {
  it('read the store once for requests that arrive together (single flight, L6, B3)', async () => {
    const { store, flags } = open()
    const crowd = Array.from({ length: 1000 }, () => flags.get(saleId))
    expect(new Set(crowd.map(kindOf))).toEqual(new Set(['asking']))
    for (const known of await Promise.all(crowd)) expect(known.kind).toBe('sale')
    expect(store.reads).toHaveLength(1)
  })

  it('answer from memory for a second, and are never older than that (G3)', async () => {
    const { flags } = open()
    await flags.get(saleId)
    await pass(1000)
    expect(kindOf(flags.get(saleId))).toBe('sale')
    const idle = open()
    await idle.flags.get(saleId)
    await pass(1001)
    expect(kindOf(idle.flags.get(saleId))).toBe('asking')
  })

  it('are refreshed behind a request shortly before they are too old, so that steady traffic never waits', async () => {
    const { store, flags } = open()
    await flags.get(saleId)
    for (let i = 0; i < 100; i++) {
      await pass(100)
      expect(kindOf(flags.get(saleId))).toBe('sale')
    }
    expect(store.reads.length).toBeLessThanOrEqual(1.6 * 10 + 1)
  })

  it('count their age from the request of the read, not from its answer', async () => {
    const { store, flags } = open()
    const release = store.hold()
    const slow = flags.get(saleId)
    await pass(700)
    release()
    expect((await slow).kind).toBe('sale')
    await pass(301)
    expect(kindOf(flags.get(saleId))).toBe('asking')
  })

  it('are kept through a short outage and forgotten after a second (I6)', async () => {
    const { store, flags } = open()
    await flags.get(saleId)
    store.goDown()
    await pass(900)
    expect(kindOf(flags.get(saleId))).toBe('sale')
    await pass(101)
    expect((await flags.get(saleId)).kind).toBe('unavailable')
  })

  it('read an unavailable store at most four times a second, under any load (I6)', async () => {
    const { store, flags, failures } = open()
    store.goDown()
    for (let i = 0; i < 200; i++) {
      expect((await flags.get(saleId)).kind).toBe('unavailable')
      await pass(10)
    }
    expect(store.reads).toHaveLength(8)
    expect(failures).toHaveLength(8)
  })

  it('answer unavailable to requests that waited for a slow failure, and make no request wait twice (I6)', async () => {
    const { store, flags } = open()
    store.goDown()
    const release = store.hold()
    const crowd = Array.from({ length: 100 }, () => flags.get(saleId))
    await pass(800)
    release()
    for (const known of await Promise.all(crowd)) expect(known.kind).toBe('unavailable')
    expect(store.reads).toHaveLength(1)
  })

  it('read again after a thaw, when the refresh was frozen and fails, and serve that request', async () => {
    const { store, flags } = open()
    await flags.get(saleId)
    await pass(800)
    store.goDown(new Error('the timer ran out while frozen'))
    const release = store.hold()
    flags.get(saleId)
    store.comeUp()
    vi.setSystemTime(startOfTests + 60_000)
    const request = flags.get(saleId)
    release()
    expect((await request).kind).toBe('sale')
    expect(store.reads).toHaveLength(3)
  })

  it('do not use an answer that was frozen until it was too old', async () => {
    const { store, flags } = open()
    await flags.get(saleId)
    await pass(800)
    const release = store.hold()
    flags.get(saleId)
    store.sales[saleId] = { ...openSaleFacts, flag: 'closed' }
    vi.setSystemTime(startOfTests + 60_000)
    const request = flags.get(saleId)
    release()
    expect(await request).toMatchObject({ kind: 'sale', facts: { flag: 'closed' } })
  })

  it.each([60_000, 100, 1])(
    'keep the sale open when the clock is set back %d ms: they read again, at once',
    async (backMs) => {
      const { store, flags } = open()
      await flags.get(saleId)
      await pass(100)
      vi.setSystemTime(Date.now() - 100 - backMs)
      expect(kindOf(flags.get(saleId)), 'facts from a time that has not come are not trusted').toBe('asking')
      await pass(0)
      for (let i = 0; i < 50; i++) {
        expect(kindOf(flags.get(saleId))).toBe('sale')
        await pass(400)
      }
      expect(store.reads.length).toBeLessThanOrEqual(2 + 50)
    },
  )

  it('read an unavailable store at the same rate after the clock was set back (I6)', async () => {
    const { store, flags } = open()
    await flags.get(saleId)
    store.goDown()
    vi.setSystemTime(startOfTests - 60_000)
    for (let i = 0; i < 100; i++) {
      expect((await flags.get(saleId)).kind).toBe('unavailable')
      await pass(10)
    }
    expect(store.reads).toHaveLength(1 + 4)
  })

  it('remember a missing sale for as long as new sales are kept back, without refreshing it (B5)', async () => {
    const { store, flags } = open()
    const missing = saleIdOf('no-such-sale')
    await flags.get(missing)
    await pass(maxFilterAgeMs)
    expect(kindOf(flags.get(missing))).toBe('unknown-sale')
    expect(store.reads).toHaveLength(1)
    await pass(1)
    expect(kindOf(flags.get(missing))).toBe('asking')
  })

  it('call a sale that has disappeared unavailable, never unknown, and find it when it is back (P10)', async () => {
    const { store, flags } = open()
    expect((await flags.get(saleId)).kind).toBe('sale')
    delete store.sales[saleId]
    await pass(1100)
    expect((await flags.get(saleId)).kind).toBe('unavailable')
    await pass(1100)
    expect((await flags.get(saleId)).kind).toBe('unavailable')
    store.sales[saleId] = openSaleFacts
    await pass(1100)
    expect((await flags.get(saleId)).kind).toBe('sale')
  })

  it('keep a sale in demand during a flood of invented names (B5)', async () => {
    const { flags } = open()
    await flags.get(saleId)
    for (let i = 0; i < 10_000; i++) {
      void flags.get(saleIdOf(`made-up-${i}`))
      if (i % 1000 === 0) expect(kindOf(flags.get(saleId))).toBe('sale')
    }
    await pass(0)
  })
})

describe('the flags of a quiet sale', () => {
  const quiet: [string, Partial<GateFacts>][] = [
    ['sold out', { soldOut: true }],
    ['closed', { flag: 'closed' }],
    ['over', { endsAt: startOfTests - 1 }],
    ['not started', { flag: 'off', startToken: null }],
    ['between two windows', { endsAt: startOfTests - 1, nextStartsAt: startOfTests + 60_000 }],
  ]

  it.each(quiet)('are read once in 2.3 to 3 seconds while it is %s (G4, G7)', async (_, facts) => {
    const { store, flags } = open(facts)
    await flags.get(saleId)
    const seconds = 100
    for (let i = 0; i < seconds * 10; i += 1) {
      await pass(100)
      expect(kindOf(flags.get(saleId)), 'steady traffic never waits').toBe('sale')
    }
    expect(store.reads.length).toBeLessThanOrEqual(1 + seconds / 2.3)
    expect(store.reads.length).toBeGreaterThanOrEqual(seconds / 3)
    const idle = open(facts)
    await idle.flags.get(saleId)
    await pass(quietMs + 1)
    expect(kindOf(idle.flags.get(saleId))).toBe('asking')
  })

  it.each<[string, Partial<GateFacts>]>([
    ['paused', { flag: 'paused' }],
    ['frozen', { frozen: true, soldOut: true }],
    ['started by its marketer, before its time', { startsAt: startOfTests + 60_000 }],
  ])('are one second old at most while it is %s (G3, I6)', async (_, facts) => {
    const { flags } = open(facts)
    await flags.get(saleId)
    await pass(1001)
    expect(kindOf(flags.get(saleId))).toBe('asking')
  })

  it('are not read together by all instances', async () => {
    const store = fakeStore({ [saleId]: { ...openSaleFacts, soldOut: true } })
    const fleet = Array.from({ length: 50 }, () => createFlags(store, Date.now, () => undefined))
    for (const flags of fleet) await flags.get(saleId)
    await pass(2300)
    let most = 0
    for (let i = 0; i < 100; i += 1) {
      const before = store.reads.length
      for (const flags of fleet) flags.get(saleId)
      most = Math.max(most, store.reads.length - before)
      await pass(10)
    }
    expect(store.reads.length).toBeGreaterThan(90)
    expect(most).toBeLessThan(15)
  })
})
