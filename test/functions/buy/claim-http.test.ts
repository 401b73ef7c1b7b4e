import { beforeEach, describe, expect, it } from 'vitest'
import { claimApp } from '../../../functions/buy/claim.ts'
import { type HttpRequest, requestOf } from '../../../proof/simulation/parts/requests.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aRain, loadRain } from '../../redis/packets/rain.ts'
import { useRedis } from '../../redis/test-store.ts'
import { behindUrl } from '../../world/function-url.ts'
import { type ClaimRig, claimRig } from './claim-support.ts'

const sale = aRain([1221, 5])
const path = `/api/sales/${sale.saleId}/packets`
const good = { startToken: sale.startToken }
let rig: ClaimRig

const redis = useRedis()
beforeEach(async () => {
  rig = claimRig(redis)
  await loadRain(redis, sale, [1221, 5])
})

const ask = (request: HttpRequest) => behindUrl(rig.telemetry, claimApp(rig.ports))(request)

const tap = (who = 'ann', body: unknown = good, at = path) => ask(requestOf(who, 'POST', at, body))

describe('POST /api/sales/{saleId}/packets', () => {
  it('answers 200 with the packet and what it holds, then 200 with the same packet (P2, P3, I5)', async () => {
    const packet = { packetId: `${sale.saleId}-p0`, amount: 1221, currency: 'CNY' }
    const first = await tap()
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(first.body).toEqual({ ...packet, remaining: 1 })
    const again = await tap()
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ ...packet, repeat: true })
  })

  it('answers 200 once the packet is handed out, even if queue and gate fail (I2)', async () => {
    rig.queue.goDown()
    rig.ports.admissions = { complete: () => Promise.reject(new RedisUnavailable('gone')) }
    rig.ports.soldOut = { publish: () => Promise.reject(new RedisUnavailable('gone')) }
    expect(await tap('ann')).toMatchObject({ status: 200, body: { amount: 1221 } })
    rig.queue.comeUp()
    expect(await tap('bob')).toMatchObject({ status: 200, body: { amount: 5, remaining: 0 } })
  })

  it('finds the packet of a shopper whose reply was lost, behind the 503 (I5, I6)', async () => {
    rig.stock.loseNextReply()
    expect(await tap()).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await tap()).toMatchObject({ status: 200, body: { amount: 1221, repeat: true } })
  })

  it('answers 410 once every packet has been claimed', async () => {
    await tap('ann')
    await tap('bob')
    expect(await tap('cid')).toMatchObject({
      status: 410,
      body: { code: 'sold-out', remaining: 0, lookup: '/api/wallet' },
    })
    expect(await tap('ann'), 'a shopper with a packet keeps it').toMatchObject({ status: 200, body: { repeat: true } })
  })

  it.each([
    ['startToken', { startToken: undefined }],
    ['startToken', { startToken: 7 }],
    ['startToken', { startToken: 'short' }],
    ['challenge', { challenge: 7 }],
    ['quantity', { quantity: 1 }],
    ['amount', { amount: 1221 }],
  ])('rejects a bad %s by name and hands out nothing (S2)', async (field, change) => {
    const answer = await tap('ann', { ...good, ...change })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(await rig.claimed(sale.saleId)).toBe(0)
  })

  it.each(['', 'null', '[]', '"x"', '{'])('refuses the body %j', async (body) => {
    expect(await tap('ann', body)).toMatchObject({ status: 400, body: { code: 'invalid-request' } })
  })

  it('refuses a body over 2 kB and another content type', async () => {
    expect(await tap('ann', { startToken: 'x'.repeat(3000) })).toMatchObject({ status: 413 })
    const plain = requestOf('ann', 'POST', path, good, { 'content-type': 'text/plain' })
    expect(await ask(plain)).toMatchObject({ status: 415 })
  })

  it('accepts a challenge that the gate has verified', async () => {
    expect(await tap('ann', { ...good, challenge: 'eyJhIjoxfQ==' })).toMatchObject({ status: 200 })
  })

  it('asks a caller without the gate’s headers to sign in (I6)', async () => {
    const anonymous = requestOf(undefined, 'POST', path, good, { authorization: 'Bearer x' })
    expect(await ask(anonymous)).toMatchObject({ status: 401, body: { code: 'sign-in-required' } })
    expect(await rig.claimed(sale.saleId)).toBe(0)
  })

  it('rejects every other path and method', async () => {
    expect(await ask(requestOf('ann', 'GET', path))).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    expect(await tap('ann', good, '/api/sales/x/y/packets')).toMatchObject({ status: 404 })
    expect(await tap('ann', good, path.replace('packets', 'orders'))).toMatchObject({ status: 404 })
    expect(await tap('ann', good, '/api/sales/UPPER/packets')).toMatchObject({ status: 400, body: { field: 'saleId' } })
  })

  it('rejects early, late, stale and paused claims, each with its own code (G2)', async () => {
    rig.clock.now = 999
    expect(await tap()).toMatchObject({ status: 425, body: { code: 'not-started', now: 999 } })
    rig.clock.now = 9_000
    expect(await tap()).toMatchObject({ status: 410, body: { code: 'ended', lookup: '/api/wallet' } })
    rig.clock.now = 5_000
    expect(await tap('ann', { startToken: 'y'.repeat(43) })).toMatchObject({
      status: 409,
      body: { code: 'stale-page', lookup: '/api/wallet' },
    })
    await warmStock(redis, { ...sale, flag: 'paused', version: 2 })
    expect(await tap()).toMatchObject({ status: 409, body: { code: 'paused' } })
  })

  it('answers unavailable while Redis is unavailable, has lost the packets, or is being recovered (P10, I6)', async () => {
    rig.stock.goDown()
    const unavailable = await tap()
    expect(unavailable).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(Number(unavailable.headers['retry-after'])).toBe(unavailable.body.retryAfterSeconds)
    expect([1, 2, 3]).toContain(unavailable.body.retryAfterSeconds)
    rig.stock.comeUp()
    await freeze(redis, sale.saleId)
    expect(await tap()).toMatchObject({ status: 503 })
    expect(await tap('ann', good, `/api/sales/${aRain([1]).saleId}/packets`)).toMatchObject({ status: 503 })
  })
})
