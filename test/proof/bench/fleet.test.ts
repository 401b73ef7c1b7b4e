import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { audience, createIdentity, issuer } from '../../../cli/identity.ts'
import { configHeader, encodeConfig } from '../../../edge/config.ts'
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

/** The gate's surroundings, with functions that take every request. */
const edge: EdgeSide = {
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
  forward: async () => ({ status: 202, headers: {}, body: Buffer.from('{}') }),
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
    const fleet = await openFleet(edge, 4, () => chosen)
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

  it('has gates with one clock, that of the clicks, where a measurement has a clock of its own', async () => {
    const random = seededRandom(1)
    const file = fileURLToPath(new URL('../../../proof/bench/million/gate.ts', import.meta.url))
    const fleet = await openFleet(edge, 3, random, file)
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
})
