import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { outcomes } from '../../../core/outcome.ts'
import { bodyBytes } from '../../../edge/cloudfront.ts'
import type { GateFacts } from '../../../edge/memory/gate-store.ts'
import { armedForMs, armedTokenOf } from '../../../redis/gate/armed-token.ts'
import {
  buyEvent,
  fakeStore,
  forwardedOf,
  openGate,
  openInstance,
  openSaleFacts,
  refusalOf,
  ruled,
  saleId,
  startOfTests,
  startToken,
  tokenAt,
} from '../support.ts'

describe('the phase check', () => {
  it('refuses all requests while the start flag is off, and reads the store at most a few times a second, also for invented start tokens (G2)', async () => {
    const { buy, store, time } = openGate({ flag: 'off', epoch: 0, startToken: null })
    for (let i = 0; i < 100; i++) {
      const refusal = refusalOf(await buy({ token: 'not.a.token' }))
      expect(refusal).toMatchObject({ status: 425, code: 'not-started', body: { now: time.now } })
      time.now += 4
    }
    const forNewerOpenings = 4
    expect(store.reads.length).toBeLessThanOrEqual(1 + forNewerOpenings)
  })

  it('answers unavailable from memory while the sale is frozen, with any flag (I6)', async () => {
    for (const flag of ['on', 'off', 'paused', 'closed'] as const) {
      const { buy, store } = openGate({ frozen: true, flag })
      for (let i = 0; i < 20; i++) {
        const refusal = refusalOf(await buy({ token: 'x.y.z' }))
        expect(refusal).toMatchObject({ status: 503, code: 'unavailable' })
        expect(['1', '2', '3']).toContain(refusal.headers['retry-after'])
      }
      expect(store.reads).toHaveLength(1)
    }
  })

  it('returns unspent admissions while the stock is recovered: each might count for a lost unit (I2)', async () => {
    const { buy, store, time } = openGate()
    store.replenish(saleId, 1024)
    forwardedOf(await buy())
    for (const sale of Object.values(store.sales)) sale.frozen = true
    store.replenish(saleId, 0)
    time.now += 1001
    for (let i = 0; i < 3; i++) refusalOf(await buy())
    expect(store.asks.slice(1)).toMatchObject([{ waiting: 0, returned: { count: 3 } }])
  })

  it.each<[string, string, Partial<GateFacts>]>([
    ['not-started', 'while its flag is off, also to a guess of the right token (C6, G2)', { flag: 'off' }],
    ['forwarded', 'at its start', { startsAt: startOfTests }],
    ['not-started', 'a millisecond before it', { startsAt: startOfTests + 1 }],
    ['forwarded', 'a millisecond before its end', { endsAt: startOfTests + 1 }],
    ['ended', 'at its end', { endsAt: startOfTests }],
    ['not-started', 'between two windows', { endsAt: startOfTests - 1, nextStartsAt: startOfTests + 60_000 }],
    ['paused', 'while it is paused', { flag: 'paused' }],
    ['ended', 'once it is closed', { flag: 'closed' }],
  ])('answers %s %s, without another action of the marketer (G3, C5, R7)', async (expected, _, facts) => {
    const { buy } = openGate(facts)
    const answer = await buy()
    if ('uri' in answer) {
      expect('forwarded').toBe(expected)
      return
    }
    const { status, code, body } = refusalOf(answer)
    expect([status, code]).toEqual([outcomes[expected as keyof typeof outcomes].status, expected])
    if (expected === 'not-started') expect(body.now).toBe(startOfTests)
  })
})

describe('the phase in which a challenge may be fetched', () => {
  const fetch = async (facts: Parameters<typeof openGate>[0]) => {
    const { fetchChallenge } = openGate({ ...ruled({ challenge: 'pow' }), ...facts })
    const answer = await fetchChallenge()
    return 'uri' in answer || answer.status === '200' ? 'answered' : refusalOf(answer).code
  }

  it('is before the start, between two windows and during the sale (R5, R7)', async () => {
    expect(await fetch({ flag: 'off' })).toBe('answered')
    expect(await fetch({ startsAt: startOfTests + 1000 })).toBe('answered')
    expect(await fetch({ endsAt: startOfTests - 1, nextStartsAt: startOfTests + 1000 })).toBe('answered')
    expect(await fetch({})).toBe('answered')
  })

  it('ends when nothing can be bought any more, and is interrupted by a pause', async () => {
    expect(await fetch({ flag: 'closed' })).toBe('ended')
    expect(await fetch({ endsAt: startOfTests })).toBe('ended')
    expect(await fetch({ flag: 'paused' })).toBe('paused')
    expect(await fetch({ frozen: true })).toBe('unavailable')
  })
})

describe('the start token check', () => {
  const body = (token: string) => JSON.stringify({ quantity: 1, startToken: token })

  it.each([
    ['of an earlier epoch', startToken.replace('Z', 'Y')],
    ['that is cut off', startToken.slice(0, -1)],
    ['that has extra characters', `${startToken}A`],
    ['in another case', startToken.toLowerCase()],
  ])('asks a page with a token %s to reload (C6)', async (_what, token) => {
    const { buy } = openGate()
    const refusal = refusalOf(await buy({ body: body(token) }))
    expect(refusal).toMatchObject({ status: 409, code: 'stale-page' })
    expect(JSON.stringify(refusal)).not.toContain(startToken)
  })

  it('refuses every request where the epoch has no token', async () => {
    const { buy } = openGate({ startToken: null })
    expect(refusalOf(await buy()).code).toBe('stale-page')
  })

  describe('with the armed token of a page from before the start', () => {
    const armed = body(armedTokenOf(startToken))
    const startsAt = startOfTests
    const gateAt = (now: number) => openInstance(fakeStore({ [saleId]: { ...openSaleFacts, startsAt } }), { now })

    it.each([0, armedForMs - 1])('forwards the token in its place, %d ms after the start (C6)', async (sinceMs) => {
      const forwarded = forwardedOf(await gateAt(startsAt + sinceMs).buy({ body: armed }))
      expect(forwarded.body?.action).toBe('replace')
      const bytes = bodyBytes(forwarded.body)
      expect(JSON.parse(bytes.toString())).toEqual({ quantity: 1, startToken })
      expect(forwarded.headers['x-amz-content-sha256']?.[0]?.value).toBe(hash('sha256', bytes, 'hex'))
    })

    it('refuses it before the start (C6, G2)', async () => {
      expect(refusalOf(await gateAt(startsAt - 1).buy({ body: armed })).code).toBe('not-started')
    })

    it('asks for a reload ten seconds after the start (C6)', async () => {
      expect(refusalOf(await gateAt(startsAt + armedForMs).buy({ body: armed })).code).toBe('stale-page')
    })

    it('reads the store no more than for the token itself', async () => {
      const gate = gateAt(startsAt + 5)
      await gate.buy({ body: body(startToken) })
      const reads = gate.store.reads
      await gate.buy({ body: armed })
      expect(gate.store.reads).toBe(reads)
    })
  })
})

const beforeFlip: Partial<GateFacts> = { flag: 'off', epoch: 0, startToken: null }
const nextToken = 'bmV4dC1vcGVuaW5nLW5leHQtb3BlbmluZw'
const buyWith = (token: string) => ({ body: JSON.stringify({ quantity: 1, startToken: token }) })

describe('the first request after the flip, with a start token newer than what the instance knows (C6, G3)', () => {
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

describe('invented start tokens (C6, G3)', () => {
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
