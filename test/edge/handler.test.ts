import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { handler } from '../../edge/handler.ts'
import { startUpstashProxy, type UpstashProxy } from '../../local/upstash/proxy.ts'
import { raiseRestocked, raiseSoldOut, setGate } from '../../redis/gate.ts'
import { commandCounts, type RedisRig, startRedisRig } from '../redis/support.ts'
import { buy, forwardedOf, openSale, refusalOf, saleIdOf, settings } from './support.ts'

const gateToken = 'token-that-only-reads-gate-keys'
let rig: RedisRig
let gate: UpstashProxy

const openProxy = (port: number) =>
  startUpstashProxy({
    redisPort: rig.redisPort,
    tokens: [{ token: gateToken, allow: ['gate:'], readOnly: true }],
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
/** Publishes a sale of its own to the gate, open now unless `change` says otherwise. */
async function publish(change: Partial<typeof openSale> = {}) {
  sales += 1
  const saleId = saleIdOf(`gate-sale-${sales}`)
  const now = Date.now()
  const times = { startsAt: now - 60_000, endsAt: now + 3_600_000 }
  await setGate(rig.redis, { ...openSale, throttleLimit: 1000, ...times, ...change, saleId })
  return saleId
}

async function ask(saleId: string) {
  const use = { ...settings, 'x-sluice-gate-url': gate.url, 'x-sluice-gate-token': gateToken }
  return handler(await buy(Date.now(), { uri: `/api/sales/${saleId}/orders`, settings: use }))
}
/** What the gate says now: a problem code, or `forwarded`. */
async function verdict(saleId: string) {
  const answer = await ask(saleId)
  return 'uri' in answer ? 'forwarded' : refusalOf(answer).code
}
const soon = { timeout: 3000, interval: 20 }

describe('the edge function over a real Redis', () => {
  it('takes one argument: Node 24 on Lambda refuses three', () => {
    expect(handler.length).toBe(1)
  })

  it('lets a purchase through to a sale that is open, and finds no other', async () => {
    forwardedOf(await ask(await publish()))
    expect(await verdict('never-published')).toBe('unknown-sale')
  })

  it('follows the marketer’s flip, pause and close within a second (G3)', async () => {
    const saleId = await publish({ flag: 'off', version: 1 })
    expect(await verdict(saleId)).toBe('not-started')
    const now = Date.now()
    const terms = { ...openSale, saleId, throttleLimit: 1000, startsAt: now - 1, endsAt: now + 60_000 }
    for (const [flag, version, expected] of [
      ['on', 2, 'forwarded'],
      ['paused', 3, 'paused'],
      ['closed', 4, 'ended'],
    ] as const) {
      await setGate(rig.redis, { ...terms, flag, version })
      await expect.poll(() => verdict(saleId), soon).toBe(expected)
    }
  })

  it('answers 503 while the stock is fenced, and sells again within a second of its end (I6)', async () => {
    const saleId = await publish({ fenced: true })
    expect(await verdict(saleId)).toBe('unavailable')
    const now = Date.now()
    const times = { startsAt: now - 1, endsAt: now + 60_000 }
    await setGate(rig.redis, { ...openSale, saleId, throttleLimit: 1000, ...times, fenced: false })
    await expect.poll(() => verdict(saleId), soon).toBe('forwarded')
  })

  it('closes when the stock is out and opens when units come back (G4, G7)', async () => {
    const saleId = await publish()
    await raiseSoldOut(rig.redis, saleId, 0)
    expect(await verdict(saleId)).toBe('sold-out')
    await raiseRestocked(rig.redis, saleId, 1)
    await expect.poll(() => verdict(saleId), soon).toBe('forwarded')
  })

  it('asks Redis about twice a second, however many ask it (L6, G6)', async () => {
    const saleId = await publish()
    await raiseSoldOut(rig.redis, saleId, 0)
    const use = { ...settings, 'x-sluice-gate-url': gate.url, 'x-sluice-gate-token': gateToken }
    const event = await buy(Date.now(), { uri: `/api/sales/${saleId}/orders`, settings: use })
    const before = (await commandCounts(rig.redis)).get('hmget') ?? 0
    const startedAt = Date.now()
    for (let i = 0; i < 20_000; i++) expect((await handler(event)).headers).toBeDefined()
    const seconds = (Date.now() - startedAt) / 1000
    const reads = ((await commandCounts(rig.redis)).get('hmget') ?? 0) - before
    expect(reads).toBeLessThanOrEqual(Math.ceil(seconds * 2) + 1)
  })

  it('closes when Redis goes dark, and sells again by itself when it is back (I6)', async () => {
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
      expect(line).not.toMatch(/token-that|HMGET gate:|gate-sale/)
    }
  })

  it('treats a hash it cannot read as darkness, not as an open sale (I6)', async () => {
    const saleId = await publish()
    await rig.redis.exec(['HSET', `gate:{${saleId}}`, 'endsAt', 'never'])
    expect(await verdict(saleId)).toBe('unavailable')
  })

  it('cannot see a sale with a token that is not the gate’s (I6)', async () => {
    const saleId = await publish()
    const use = { ...settings, 'x-sluice-gate-url': gate.url, 'x-sluice-gate-token': 'guess' }
    const event = await buy(Date.now(), { uri: `/api/sales/${saleId}/orders`, settings: use })
    expect(refusalOf(await handler(event)).code).toBe('unavailable')
  })
})
