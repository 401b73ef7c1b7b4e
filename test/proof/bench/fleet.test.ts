import { fileURLToPath } from 'node:url'
import type { CloudFrontRequest } from 'aws-lambda'
import { afterAll, describe, expect, it } from 'vitest'
import { audience, createIdentity, issuer } from '../../../cli/identity.ts'
import { configHeader, encodeConfig } from '../../../edge/config.ts'
import type { OriginAnswer } from '../../../local/origin.ts'
import type { EdgeSide } from '../../../local/stack.ts'
import { type FleetRequest, openFleet } from '../../../proof/bench/fleet/fleet.ts'
import { setVirtualClock } from '../../../proof/bench/million/shared-by-gates.ts'
import { seededRandom } from '../../../proof/bench/statistics.ts'
import { setGate } from '../../../redis/gate/gate.ts'
import { replenish } from '../../../redis/gate/replenish.ts'
import { aSale, shopperIdOf, startRedisRig } from '../../redis/support.ts'

const rig = await startRedisRig()
afterAll(() => rig.stop())
const identity = await createIdentity(undefined)

type Passed = { request: CloudFrontRequest; name: string; body: string }

/** The gate's surroundings, with functions that give every request the same answer. */
function edgeBefore(answer: Pick<OriginAnswer, 'status'> & { body?: string }): EdgeSide & { passed: Passed[] } {
  const passed: Passed[] = []
  return {
    passed,
    settings: {
      [configHeader]: encodeConfig({
        gateUrl: rig.url,
        readerToken: rig.token,
        writerToken: rig.token,
        publicKeys: [identity.publicKey],
        challengeKeys: ['the secret that signs challenges'],
        issuer,
        audience,
        origins: ['https://shop.example'],
        challengeCost: 1,
      }),
    },
    forward: async (request, name, body) => {
      passed.push({ request, name, body: body.toString() })
      return { status: answer.status, headers: {}, body: Buffer.from(answer.body ?? '{}') }
    },
  }
}

/** A buy request for an open sale, of any quantity, once a minute. */
async function aRequest(): Promise<FleetRequest> {
  const sale = aSale({ startsAt: Date.now() - 1000, endsAt: Date.now() + 60_000 })
  const perShopper = { limit: 1, windowSeconds: 60 }
  const rules = { ...sale, throttle: { ...sale.throttle, perShopper } }
  await replenish(rig.redis, sale.saleId, {
    asOf: Date.now(),
    stockRevision: 0,
    epoch: 1,
    total: -1,
    booked: 0,
    ratio: 1.2,
  })
  await setGate(rig.redis, { ...sale, nextStartsAt: null, rules, frozen: false })
  const token = await identity.token({ shopperId: shopperIdOf(1) }, { expiresInSeconds: 60, issuer })
  return {
    method: 'POST',
    uri: `/api/sales/${sale.saleId}/orders`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: 1, startToken: sale.startToken }),
    address: '203.0.113.7',
  }
}

describe('a fleet', () => {
  it('has instances with a memory each: one throttles a shopper that another has never seen (R2)', async () => {
    let chosen = 0
    const fleet = await openFleet(edgeBefore({ status: 202 }), 4, () => chosen)
    const request = await aRequest()
    const at = async (random: number) => {
      chosen = random
      const { code, isForwarded } = await fleet.send(request)
      return { code, isForwarded }
    }
    const letThrough = { code: 'reserved', isForwarded: true }
    const throttled = { code: 'too-many-requests', isForwarded: false }
    expect(await at(0)).toEqual(letThrough)
    expect(await at(0)).toEqual(throttled)
    expect(await at(0.2499), 'the first quarter of all numbers is one instance').toEqual(throttled)
    expect(await at(0.25)).toEqual(letThrough)
    expect(await at(0.9999)).toEqual(letThrough)
    expect(await at(0.75), 'and the last one another').toEqual(throttled)
    expect(await at(0.5)).toEqual(letThrough)
    expect(await at(0.5)).toEqual(throttled)
  })

  it('shares nothing with another fleet of the same bundle', async () => {
    const edge = edgeBefore({ status: 202 })
    const request = await aRequest()
    const fleets = await Promise.all([1, 2].map(() => openFleet(edge, 1, () => 0)))
    for (const fleet of fleets) expect((await fleet.send(request)).code).toBe('reserved')
    for (const fleet of fleets) expect((await fleet.send(request)).code).toBe('too-many-requests')
  })

  it('forwards what the gate made of the request: shopper, body, and no settings', async () => {
    const edge = edgeBefore({ status: 202 })
    const fleet = await openFleet(edge, 1, () => 0)
    const request = await aRequest()
    await fleet.send({ ...request, headers: { ...request.headers, 'x-shopper-id': 'another' } })
    expect(edge.passed).toHaveLength(1)
    const [passed] = edge.passed
    expect(passed).toMatchObject({ name: 'reserve', body: request.body })
    const { headers, origin } = passed?.request ?? {}
    expect(headers?.['x-shopper-id']?.map(({ value }) => value)).toEqual(['shopper-1'])
    expect(headers?.authorization).toBeUndefined()
    expect(origin?.custom?.customHeaders).toEqual({})
  })

  it.each<[string, number, string, string]>([
    ['reserved', 202, '{"orderId":"o"}', 'reserved'],
    ['repeat', 200, '{"orderId":"o"}', 'repeat'],
    ['the code of a problem', 410, '{"type":"x","code":"sold-out"}', 'sold-out'],
    ['the status where there is no code', 502, 'Bad gateway', 'status-502'],
  ])('names an answer by %s', async (_, status, body, code) => {
    const fleet = await openFleet(edgeBefore({ status, body }), 1, () => 0)
    expect(await fleet.send(await aRequest())).toEqual({ status, code, body, isForwarded: true })
  })

  it('has gates with one clock, that of the clicks, where a measurement has a clock of its own', async () => {
    const random = seededRandom(1)
    const file = fileURLToPath(new URL('../../../proof/bench/million/gate.ts', import.meta.url))
    const fleet = await openFleet(edgeBefore({ status: 202 }), 3, random, file)
    const request = await aRequest()
    const codesAt = async (now: number) => {
      setVirtualClock(now)
      const answers = []
      for (let times = 0; times < 9; times += 1) answers.push((await fleet.send(request)).code)
      return new Set(answers)
    }
    expect(await codesAt(Date.now() - 3_600_000)).toEqual(new Set(['not-started']))
    expect(await codesAt(Date.now() + 3_600_000)).toEqual(new Set(['ended']))
  })

  it('rejects a fleet without instances', async () => {
    const fleet = await openFleet(edgeBefore({ status: 202 }), 0, () => 0)
    await expect(fleet.send(await aRequest())).rejects.toThrow(RangeError)
  })
})
