/** Requests with a start token that is newer than the instance's facts (C6, G3). */
import { describe, expect, it } from 'vitest'
import type { GateFacts } from '../../../edge/memory/gate-store.ts'
import {
  buyEvent,
  forwardedOf,
  openGate,
  openInstance,
  openSaleFacts,
  refusalOf,
  saleId,
  startToken,
  tokenAt,
} from '../support.ts'

const beforeFlip: Partial<GateFacts> = { flag: 'off', epoch: 0, startToken: null }
const nextToken = 'bmV4dC1vcGVuaW5nLW5leHQtb3BlbmluZw'
const buyWith = (token: string) => ({ body: JSON.stringify({ quantity: 1, startToken: token }) })

describe('the first request after the flip', () => {
  it('sees the open sale on every instance, also right after a "not started" answer', async () => {
    const first = openGate(beforeFlip)
    const { store, time } = first
    const instances = [first, ...Array.from({ length: 19 }, () => openInstance(store, time))]
    for (const { buy } of instances) expect(refusalOf(await buy(buyWith(''))).code).toBe('not-started')
    store.sales[saleId] = openSaleFacts
    time.now += 1
    for (const { buy } of instances) forwardedOf(await buy())
  })

  it('sees it after a pause, and in a window that follows another, within the same second', async () => {
    for (const before of [{ flag: 'paused' as const }, { endsAt: openSaleFacts.startsAt + 1, nextStartsAt: 1 }]) {
      const { buy, store, time } = openGate({ ...before, startToken: nextToken })
      await buy(buyWith(nextToken))
      store.sales[saleId] = openSaleFacts
      time.now += 1
      forwardedOf(await buy())
    }
  })

  it('is not refused as a stale page by an instance with stale facts: an epoch right after another', async () => {
    const { buy, store, time } = openGate({ startToken: nextToken })
    forwardedOf(await buy(buyWith(nextToken)))
    store.sales[saleId] = { ...openSaleFacts, epoch: 2, startToken }
    time.now += 1
    forwardedOf(await buy())
    const old = await buy(buyWith(nextToken))
    expect(refusalOf(old).code).toBe('stale-page')
  })

  it('is answered "not started" where that is still so, and counts as an early one once', async () => {
    const { buy, store, time } = openGate(beforeFlip)
    expect(refusalOf(await buy()).code).toBe('not-started')
    expect(store.reads, 'uses facts that were read for this very request').toHaveLength(1)
    time.now += 1
    expect(refusalOf(await buy()).code).toBe('not-started')
    expect(store.reads).toHaveLength(2)
  })

  it('shares one read with all requests that arrive in the meantime', async () => {
    const { buy, handler, store, time } = openGate(beforeFlip)
    await buy(buyWith(''))
    store.sales[saleId] = openSaleFacts
    time.now += 1
    const release = store.hold()
    const events = await Promise.all(
      Array.from({ length: 4 }, (_, n) => buyEvent(time.now, { claims: { sub: `s-${n}` } })),
    )
    const answers = events.map((event) => handler(event))
    release()
    for (const answer of await Promise.all(answers)) forwardedOf(answer)
    expect(store.reads.length).toBeLessThanOrEqual(3)
  })
})

describe('invented start tokens', () => {
  it.each([
    ['before the start', beforeFlip],
    ['while it is paused', { flag: 'paused' } as const],
    ['while it is open', {}],
  ])('cost at most a few reads a second %s', async (_, facts) => {
    const { buy, handler, store, time } = openGate(facts)
    await buy(buyWith(''))
    const before = store.reads.length
    const seconds = 5
    const shoppers = Array.from({ length: 100 }, (_, nth) => ({ claims: { sub: `s-${nth}` } }))
    const sessions = await Promise.all(shoppers.map((shopper) => tokenAt(time.now, shopper)))
    for (let event = 0; event < 100 * seconds; event += 1) {
      const token = `${nextToken}${event}`
      const session = sessions[event % sessions.length] ?? ''
      const click = await buyEvent(time.now, { ...buyWith(token), token: session })
      const { code } = refusalOf(await handler(click))
      expect(['not-started', 'paused', 'stale-page', 'too-many-requests']).toContain(code)
      time.now += 10
    }
    const refreshes = 2 * seconds
    expect(store.reads.length - before).toBeLessThanOrEqual(4 * (seconds + 1) + refreshes)
  })

  it('are refused from memory while the store is unavailable', async () => {
    const { buy, store, time } = openGate(beforeFlip)
    await buy(buyWith(''))
    store.goDown()
    time.now += 1
    expect(refusalOf(await buy()).code).toBe('not-started')
  })
})
