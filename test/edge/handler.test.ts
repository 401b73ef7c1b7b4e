import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildSaleFilter } from '../../core/sale-filter.ts'
import { handler } from '../../edge/handler.ts'
import { quietMs } from '../../edge/memory/flags.ts'
import { startUpstashProxy, type UpstashProxy } from '../../local/upstash/proxy.ts'
import { publishRestocked, publishSoldOut, setGate } from '../../redis/gate.ts'
import { gateKey } from '../../redis/keys.ts'
import { replenish } from '../../redis/replenish.ts'
import { listSale, publishFilter, readSales, setBlocked } from '../../redis/shared-lists.ts'
import { readerRights, writerRights } from '../../system/redis-rights.ts'
import { watchOutgoing } from '../outgoing.ts'
import { commandCounts, type RedisRig, raw, startRedisRig } from '../redis/support.ts'
import { solve } from './solve.ts'
import {
  buyEvent,
  challengeEvent,
  filterKey,
  forwardedOf,
  gateSettings,
  openSaleFacts,
  refusalOf,
  saleIdOf,
  startToken,
  unthrottled,
} from './support.ts'

const readerToken = 'token-with-the-rights-of-the-reader'
const writerToken = 'token-with-the-rights-of-the-writer'
let rig: RedisRig
let gate: UpstashProxy

const openProxy = (port: number) =>
  startUpstashProxy({
    redisPort: rig.redisPort,
    tokens: [
      { token: readerToken, rules: readerRights },
      { token: writerToken, rules: writerRights },
    ],
    port,
    strict: true,
  })

beforeAll(async () => {
  rig = await startRedisRig()
  gate = await openProxy(0)
})
afterAll(async () => {
  await gate.stop()
  await rig.stop()
})

const complaints: string[] = []
beforeEach(() => {
  complaints.length = 0
  vi.spyOn(console, 'error').mockImplementation((line: string) => complaints.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
})

let sales = 0
/**
 * Publishes a new sale to the gate, open now and unlimited unless `change` and `total` say
 * otherwise.
 */
async function publish(change: Partial<typeof openSaleFacts> = {}, total = -1) {
  sales += 1
  const saleId = saleIdOf(`gate-sale-${sales}`)
  const now = Date.now()
  const times = { startsAt: now - 60_000, endsAt: now + 3_600_000 }
  await setGate(rig.redis, { ...openSaleFacts, ...unthrottled, ...times, ...change, saleId })
  await replenish(rig.redis, saleId, { asOf: now, stockRevision: 0, epoch: 1, total, booked: 0, ratio: 1.2 })
  return saleId
}

const settingsNow = (change: Record<string, unknown> = {}) =>
  gateSettings({ gateUrl: gate.url, readerToken, writerToken, ...change })

async function ask(saleId: string, change: Parameters<typeof buyEvent>[1] = {}) {
  return handler(
    await buyEvent(Date.now(), { uri: `/api/sales/${saleId}/orders`, settings: settingsNow(), ...change }),
  )
}
/** The gate's answer: a problem code, or `forwarded`. */
async function verdict(saleId: string, change: Parameters<typeof buyEvent>[1] = {}) {
  const answer = await ask(saleId, change)
  return 'uri' in answer ? 'forwarded' : refusalOf(answer).code
}
const soon = { timeout: 3000, interval: 20 }

describe('the edge function over a real Redis', () => {
  it('has one parameter: Node 24 on Lambda refuses three', () => {
    expect(handler.length).toBe(1)
  })

  it('admits a buy request to an open sale, and finds no other', async () => {
    forwardedOf(await ask(await publish()))
    expect(await verdict('never-published'), 'that it does not exist, only the filter says').toBe(
      'unavailable',
    )
  })

  it('follows the marketer’s flip, pause and close within a second (G3)', async () => {
    const saleId = await publish({ flag: 'off', startToken: null, version: 1 })
    expect(await verdict(saleId)).toBe('not-started')
    const now = Date.now()
    const terms = { ...openSaleFacts, ...unthrottled, saleId, startsAt: now - 1, endsAt: now + 60_000 }
    for (const [flag, version, expected] of [
      ['on', 2, 'forwarded'],
      ['paused', 3, 'paused'],
      ['closed', 4, 'ended'],
    ] as const) {
      await setGate(rig.redis, { ...terms, flag, version })
      await expect.poll(() => verdict(saleId), soon).toBe(expected)
    }
  })

  it('answers 503 while the stock is frozen, and sells again within a second of its end (I6)', async () => {
    const saleId = await publish({ frozen: true })
    expect(await verdict(saleId)).toBe('unavailable')
    const now = Date.now()
    const times = { startsAt: now - 1, endsAt: now + 60_000 }
    await setGate(rig.redis, { ...openSaleFacts, ...unthrottled, saleId, ...times, frozen: false })
    await expect.poll(() => verdict(saleId), soon).toBe('forwarded')
  })

  it('closes when the stock is sold and opens when units are returned (G4, G7)', async () => {
    const saleId = await publish()
    await publishSoldOut(rig.redis, saleId, 0)
    expect(await verdict(saleId)).toBe('sold-out')
    await publishRestocked(rig.redis, saleId, 1)
    await expect.poll(() => verdict(saleId), { ...soon, timeout: quietMs + 2000 }).toBe('forwarded')
  })

  it('reads sale and lists from Redis about twice a second, for any number of requests (L6, G6)', async () => {
    const saleId = await publish()
    await publishSoldOut(rig.redis, saleId, 0)
    const event = await buyEvent(Date.now(), { uri: `/api/sales/${saleId}/orders`, settings: settingsNow() })
    const before = (await commandCounts(rig.redis)).get('hmget') ?? 0
    const startedAt = Date.now()
    for (let i = 0; i < 20_000; i++) expect((await handler(event)).headers).toBeDefined()
    const seconds = (Date.now() - startedAt) / 1000
    const reads = ((await commandCounts(rig.redis)).get('hmget') ?? 0) - before
    expect(reads).toBeLessThanOrEqual(2 * (Math.ceil(seconds * 2) + 1))
  })

  it('closes when Redis is unavailable, and sells again by itself when it is back (I6)', async () => {
    const saleId = await publish()
    expect(await verdict(saleId)).toBe('forwarded')
    const port = Number(new URL(gate.url).port)
    await gate.stop()
    await expect.poll(() => verdict(saleId), soon).toBe('unavailable')
    gate = await openProxy(port)
    await expect.poll(() => verdict(saleId), soon).toBe('forwarded')
    expect(complaints.length).toBeGreaterThan(0)
    for (const line of complaints) {
      expect(JSON.parse(line)).toMatchObject({ level: 'ERROR', message: 'the gate store did not answer' })
      expect(line).not.toMatch(/token-with|gate:\{|gate-sale/)
    }
  })

  it('treats an unreadable hash as an outage, not as an open sale (I6)', async () => {
    const saleId = await publish()
    await rig.redis.exec(['HSET', `gate:{${saleId}}`, 'endsAt', 'never'])
    expect(await verdict(saleId)).toBe('unavailable')
  })

  it('cannot read a sale with a token that is not the gate’s (I6)', async () => {
    const saleId = await publish()
    const use = settingsNow({ readerToken: 'guess' })
    expect(refusalOf(await ask(saleId, { settings: use })).code).toBe('unavailable')
  })

  it('admits as many as the ratio allows, and again after the stock was compared (G4, G5, G7)', async () => {
    const saleId = await publish({}, 10)
    // Another shopper each time: a refused one has to wait.
    let shoppers = 0
    const next = () => verdict(saleId, { claims: { sub: `shopper-${shoppers++}` } })
    const verdicts = []
    for (let i = 0; i < 20; i++) verdicts.push(await next())
    expect(verdicts).toEqual([...Array(12).fill('forwarded'), ...Array(8).fill('at-capacity')])
    // None of these can become an order any more: the stock has sold two.
    await replenish(rig.redis, saleId, {
      asOf: Date.now() + 60_000,
      stockRevision: 0,
      epoch: 1,
      total: 10,
      booked: 2,
    })
    await expect.poll(next, soon).toBe('forwarded')
    const readmitted = []
    for (let i = 0; i < 20; i++) readmitted.push(await next())
    expect(readmitted.filter((one) => one === 'forwarded')).toHaveLength(9)
  })

  it('forwards no request to a sale whose admissions were never published (I6)', async () => {
    const saleId = await publish()
    await rig.redis.exec(['DEL', `${gateKey(saleId)}:admissions`])
    expect(await verdict(saleId)).toBe('unavailable')
  })

  it('refuses blocked shoppers, and admits them again (R8)', async () => {
    const saleId = await publish()
    expect(await verdict(saleId, { claims: { sub: 'mallory' } })).toBe('forwarded')
    const fields = ['shopper mallory', 'ip 192.0.2.0/24']
    for (const [isBlocked, expected] of [
      [true, 'blocked'],
      [false, 'forwarded'],
    ] as const) {
      for (const field of fields) await setBlocked(rig.redis, field, isBlocked, Date.now())
      await expect.poll(() => verdict(saleId, { claims: { sub: 'mallory' } }), soon).toBe(expected)
      expect(await verdict(saleId, { clientIp: '192.0.2.77' })).toBe(expected)
      expect(await verdict(saleId)).toBe('forwarded')
    }
  })

  it('recognises invented sales by the filter, without asking for them (B4)', async () => {
    const saleId = await publish()
    await listSale(rig.redis, saleId, true, Date.now())
    const { listVersion, saleIds } = await readSales(rig.redis)
    expect(await publishFilter(rig.redis, buildSaleFilter(saleIds, filterKey), listVersion, Date.now())).toBe(
      'published',
    )
    await expect.poll(() => verdict('made-up'), soon).toBe('unknown-sale')
    const other = await publish()
    expect(await verdict(other)).toBe('unknown-sale')
    expect(await verdict(saleId)).toBe('forwarded')
    await listSale(rig.redis, other, true, Date.now())
    await expect.poll(() => verdict(other), soon).toBe('forwarded')
  })

  it('accepts a solved challenge for one order, on any instance (R5)', async () => {
    const saleId = await publish({ rules: { ...unthrottled.rules, challenge: 'pow' } })
    const uri = `/api/sales/${saleId}/challenge`
    const page = await handler(await challengeEvent(Date.now(), { uri, settings: settingsNow() }))
    if ('uri' in page) throw new Error('a challenge is answered by the gate')
    const challenge = await solve(JSON.parse(page.body))
    const body = JSON.stringify({ quantity: 1, startToken, challenge })
    // Another setting makes it another configuration with a memory of its own, as another instance
    // has.
    const other = settingsNow({ origins: ['https://shop.example'] })
    const send = (key: string, use = settingsNow()) =>
      verdict(saleId, { body, headers: { 'idempotency-key': key }, settings: use })
    expect(await send('first')).toBe('forwarded')
    expect(await send('second')).toBe('challenge-failed')
    expect(await send('second', other)).toBe('challenge-failed')
    expect(await send('first', other), 'the same purchase once more').toBe('forwarded')
  })
})

describe('a cold instance of the edge function', () => {
  let colds = 0
  /** Settings that no request had before: a memory of its own, as a new instance has. */
  const coldSettings = () => {
    colds += 1
    return settingsNow({ origins: ['https://shop.example', `https://cold-${colds}.example`] })
  }

  it.each([
    ['not-started', 1, { flag: 'off', epoch: 0, startToken: null } as const, 10],
    ['sold-out', 1, {}, 0],
    ['ended', 1, { flag: 'closed' } as const, 10],
    ['forwarded', 2, {}, 10],
  ])(
    'answers %s after %i requests to its store, which has no scripts loaded (N8)',
    async (code, requests, facts, total) => {
      const saleId = await publish(facts, total)
      if (code === 'sold-out') await publishSoldOut(rig.redis, saleId, 0)
      await raw(rig.redis, 'SCRIPT', 'FLUSH')
      const use = coldSettings()
      const { sent, stop } = watchOutgoing()
      expect(await verdict(saleId, { settings: use })).toBe(code)
      stop()
      expect(sent).toHaveLength(requests)
    },
  )
})
