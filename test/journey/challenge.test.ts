/**
 * A sale that asks every shopper for a proof of work, from the page's first call to the order (R5).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fleet } from '../../bench/fleet/fleet.ts'
import { solvedChallenge } from '../../bench/swarm/solver.ts'
import { type Stack, startStack } from '../../local/stack.ts'
import {
  buy,
  call,
  control,
  eventually,
  openInstances,
  openSale,
  purchaseAt,
  writtenOrder,
} from './support.ts'

let stack: Stack
let instances: Fleet[]
beforeAll(async () => {
  stack = await startStack({ demo: false, challengeCost: 1 })
  instances = await openInstances(stack.edge, 8)
})
afterAll(() => stack.stop())

const address = '203.0.113.7'

/** The instance that a request reaches: another one for each number. */
function instance(number: number): Fleet {
  const found = instances[number]
  if (found === undefined) throw new RangeError(`there is no instance ${number}`)
  return found
}

/** A challenge of one instance, fetched and solved as the page does. */
async function solved(saleId: string, token: string): Promise<string> {
  const challenge = await solvedChallenge(instance(0), stack.url, saleId, { token, address })
  if (challenge === undefined) throw new Error('no challenge was given')
  return challenge
}

describe('a sale with a challenge', () => {
  it('issues and solves it before the start, and accepts it with the buy request (R5)', async () => {
    const startsAt = Date.now() + 1_800_000
    const { saleId, startToken } = await openSale(stack, { requirePass: 'off', challenge: 'pow', startsAt })
    const token = await stack.token('ann')
    const challenge = await solved(saleId, token)
    const wanted = { token, startToken, challenge }
    expect((await buy(stack, saleId, wanted)).body.code).toBe('not-started')
    await control(stack, `/sales/${saleId}/start`, { now: true })
    const won = await eventually(async () => {
      const answer = await buy(stack, saleId, wanted)
      return answer.body.code === 'not-started' ? undefined : answer
    })
    expect(won.status).toBe(202)
    expect((await writtenOrder(stack, won.body.orderId, token)).quantity).toBe(1)
  })

  it('asks for one where it is missing or invalid (R5)', async () => {
    const { saleId, startToken } = await openSale(stack, { requirePass: 'off', challenge: 'pow' })
    const token = await stack.token('bob')
    expect(await buy(stack, saleId, { token, startToken })).toMatchObject({
      status: 403,
      body: { code: 'challenge-required' },
    })
    for (const challenge of ['AAAA', btoa('{}'), btoa('{"challenge":{"parameters":{}},"solution":null}')]) {
      const refused = await buy(stack, saleId, { token, startToken, challenge })
      expect(refused).toMatchObject({ status: 403, body: { code: 'challenge-failed' } })
    }
  })

  it('accepts each for one order, also when it is repeated at other instances, even at the same time (R5)', async () => {
    const { saleId, startToken } = await openSale(stack, {
      requirePass: 'off',
      challenge: 'pow',
      limitPerShopper: 10,
    })
    const token = await stack.token('cat')
    const challenge = await solved(saleId, token)
    const buyAt = (i: number, key: string) =>
      instance(i).send(purchaseAt(saleId, { token, startToken, key, challenge }))
    expect((await buyAt(1, 'first')).code).toBe('reserved')
    for (const i of [1, 2, 3]) {
      expect(await buyAt(i, `second-${i}`)).toMatchObject({
        status: 403,
        code: 'challenge-failed',
        isForwarded: false,
      })
    }

    const another = await solved(saleId, token)
    const atOnce = await Promise.all(
      instances.map((one) =>
        one.send(purchaseAt(saleId, { token, startToken, key: randomUUID(), challenge: another })),
      ),
    )
    const codes = atOnce.map(({ code }) => code).toSorted()
    expect(codes).toEqual([...Array(instances.length - 1).fill('challenge-failed'), 'reserved'])
  })

  it('accepts none that was issued to another shopper or for another sale (R5)', async () => {
    const { saleId, startToken } = await openSale(stack, { requirePass: 'off', challenge: 'pow' })
    const other = await openSale(stack, { requirePass: 'off', challenge: 'pow' })
    const [dan, eve] = [await stack.token('dan'), await stack.token('eve')]
    const challenge = await solved(saleId, dan)
    const failed = { status: 403, code: 'challenge-failed', isForwarded: false }
    expect(await instance(1).send(purchaseAt(saleId, { token: eve, startToken, challenge }))).toMatchObject(
      failed,
    )
    const elsewhere = { token: dan, startToken: other.startToken, challenge }
    expect(await instance(2).send(purchaseAt(other.saleId, elsewhere))).toMatchObject(failed)
    const rightful = purchaseAt(saleId, { token: dan, startToken, challenge })
    expect((await instance(3).send(rightful)).code, 'it is as good as ever for its own').toBe('reserved')
  })

  it('answers a repeated request with the same order at any instance (R5, I5)', async () => {
    const { saleId, startToken } = await openSale(stack, {
      requirePass: 'off',
      challenge: 'pow',
      limitPerShopper: 10,
    })
    const token = await stack.token('fay')
    for (const key of ['its-own-key', undefined]) {
      const purchase = purchaseAt(saleId, { token, startToken, key, challenge: await solved(saleId, token) })
      const first = await instance(4).send(purchase)
      const again = await Promise.all([4, 5, 6].map((i) => instance(i).send(purchase)))
      expect([first.code, ...again.map(({ code }) => code)]).toEqual([
        'reserved',
        'repeat',
        'repeat',
        'repeat',
      ])
      const orderIds = [first, ...again].map(({ body }): unknown => JSON.parse(body).orderId)
      expect(new Set(orderIds).size).toBe(1)
    }
  })
})

describe('a sale without a challenge', () => {
  it('issues none, and a buy request needs none (R5)', async () => {
    const { saleId, startToken } = await openSale(stack, { requirePass: 'off' })
    const token = await stack.token('gus')
    expect(await call(stack, `/api/sales/${saleId}/challenge`, { method: 'POST', token })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect((await buy(stack, saleId, { token, startToken })).status).toBe(202)
  })
})
