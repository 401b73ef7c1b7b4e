import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SaleId } from '../../core/ids.ts'
import { handler } from '../../edge/handler.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'
import { publishSoldOut, setGate } from '../../redis/gate/gate.ts'
import { replenish } from '../../redis/gate/replenish.ts'
import { gateKey } from '../../redis/keys.ts'
import { readerRights, writerRights } from '../../system/redis-rights.ts'
import { watchOutgoing } from '../outgoing.ts'
import { type RedisRig, raw, startRedisRig } from '../redis/support.ts'
import { buyEvent, gateSettings, openSaleFacts, refusalOf, saleIdOf, unthrottled } from './support.ts'

const readerToken = 'token-with-the-rights-of-the-reader'
const writerToken = 'token-with-the-rights-of-the-writer'
let rig: RedisRig
let gate: Awaited<ReturnType<typeof startUpstashProxy>>

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
let instances = 0
/** Settings that no request had before: a memory of its own, as another instance has. */
function newInstance(change: Record<string, unknown> = {}) {
  instances += 1
  const origins = ['https://shop.example', `https://instance-${instances}.example`]
  return gateSettings({ gateUrl: gate.url, readerToken, writerToken, origins, ...change })
}

type Facts = Partial<typeof openSaleFacts>

/** Publishes facts of a sale to the gate, open now unless `change` says otherwise. */
async function tell(saleId: SaleId, change: Facts = {}) {
  const times = { startsAt: Date.now() - 60_000, endsAt: Date.now() + 3_600_000 }
  await setGate(rig.redis, { ...openSaleFacts, ...unthrottled, ...times, ...change, saleId })
}

/** A new sale, with an unlimited stock unless `total` says otherwise. */
async function publish(change: Facts = {}, total = -1) {
  sales += 1
  const saleId = saleIdOf(`gate-sale-${sales}`)
  await tell(saleId, change)
  const stock = { asOf: Date.now(), stockRevision: 0, epoch: 1, total, booked: 0, ratio: 1.2 }
  await replenish(rig.redis, saleId, stock)
  return saleId
}

/** The answer of a new instance, or of one with `settings`: a problem code, or `forwarded`. */
async function verdict(saleId: string, change: Parameters<typeof buyEvent>[1] = {}) {
  const uri = `/api/sales/${saleId}/orders`
  const answer = await handler(await buyEvent(Date.now(), { uri, settings: newInstance(), ...change }))
  return 'uri' in answer ? 'forwarded' : refusalOf(answer).code
}

/** How an instance keeps what it has read is in test/edge/memory/. */
describe('the edge function over a real Redis', () => {
  it('has one parameter: Node 24 on Lambda refuses three', () => {
    expect(handler.length).toBe(1)
  })

  it('closes when Redis is unavailable, and sells again by itself when it is back (I6)', async () => {
    const saleId = await publish()
    const settings = newInstance()
    expect(await verdict(saleId, { settings })).toBe('forwarded')
    const port = Number(new URL(gate.url).port)
    await gate.stop()
    await expect.poll(() => verdict(saleId, { settings })).toBe('unavailable')
    gate = await openProxy(port)
    await expect.poll(() => verdict(saleId, { settings })).toBe('forwarded')
    expect(complaints.length).toBeGreaterThan(0)
    for (const line of complaints) {
      expect(JSON.parse(line)).toMatchObject({ level: 'ERROR', message: 'the gate store did not answer' })
      expect(line).not.toMatch(/token-with|gate:\{|gate-sale/)
    }
  })

  it('treats an unreadable hash, missing admissions and a wrong token as an outage, not as an open sale (I6)', async () => {
    const saleId = await publish()
    expect(await verdict(saleId, { settings: newInstance({ readerToken: 'guess' }) })).toBe('unavailable')
    await rig.redis.exec(['HSET', `gate:{${saleId}}`, 'endsAt', 'never'])
    expect(await verdict(saleId)).toBe('unavailable')
    const other = await publish()
    await rig.redis.exec(['DEL', `${gateKey(other)}:admissions`])
    expect(await verdict(other)).toBe('unavailable')
  })

  it.each([
    ['not-started', 1, { flag: 'off', epoch: 0, startToken: null } as const, 10],
    ['sold-out', 1, {}, 0],
    ['ended', 1, { flag: 'closed' } as const, 10],
    ['forwarded', 2, {}, 10],
  ])(
    'answers %s after %i requests of a new instance to its store, which has no scripts loaded (N8)',
    async (code, requests, facts, total) => {
      const saleId = await publish(facts, total)
      if (code === 'sold-out') await publishSoldOut(rig.redis, saleId, 0)
      await raw(rig.redis, 'SCRIPT', 'FLUSH')
      const { sent, stop } = watchOutgoing()
      expect(await verdict(saleId)).toBe(code)
      stop()
      // The counts of earlier requests are sent a second later.
      expect(sent.filter(({ body }) => !body.includes(':demand'))).toHaveLength(requests)
    },
  )
})
