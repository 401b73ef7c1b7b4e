/** Instances of the deployed gate in front of a whole system: blocks (R8), and proofs of work (R5). */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Answered, Fleet } from '../../bench/fleet/fleet.ts'
import { solvedChallenge } from '../../bench/swarm/solver.ts'
import { openSystem, type System } from '../../bench/system.ts'
import { type Stack, startStack } from '../../local/stack.ts'
import {
  buy,
  buyWhenThereIsRoom,
  call,
  control,
  eventually,
  openInstances,
  openSale,
  purchaseAt,
  writtenOrder,
} from './support.ts'

let stack: Stack
let behind: System
let instances: Fleet[]
beforeAll(async () => {
  stack = await startStack({ demo: false, challengeCost: 1 })
  behind = await openSystem(stack.url)
  instances = await openInstances(stack.edge, 8)
})
afterAll(async () => {
  behind.close()
  await stack.stop()
})

type Entry = { kind: string; value: string; who: string; when: number }

const blocklist = async () => (await control<{ entries: Entry[] }>(stack, '/blocklist')).entries
const block = (path: string) => control<Entry>(stack, `/blocklist/${path}`, undefined, 'PUT')
const unblock = (path: string) => control(stack, `/blocklist/${path}`, undefined, 'DELETE')

type Caller = { shopper: string; address: string }

/** The answer of every instance to a caller who asks for the list of their own orders. */
async function ask({ shopper, address }: Caller): Promise<Answered[]> {
  const headers = { authorization: `Bearer ${await stack.token(shopper)}` }
  const question = { method: 'GET', uri: '/api/orders', headers, body: '', address } as const
  return Promise.all(instances.map((one) => one.send(question)))
}

const isRefused = ({ status, code, isForwarded }: Answered) =>
  status === 403 && code === 'blocked' && !isForwarded
const isLetIn = ({ status, isForwarded }: Answered) => status === 200 && isForwarded

/** How long it takes, ms, until every instance gives the caller this answer. */
async function untilAll(caller: Caller, answersSo: (answer: Answered) => boolean): Promise<number> {
  const from = performance.now()
  await eventually(async () => ((await ask(caller)).every(answersSo) ? true : undefined))
  return performance.now() - from
}

describe('a block', () => {
  afterEach(async () => {
    for (const { kind, value } of await blocklist()) await unblock(`${kind}/${value}`)
  })

  it('of a shopper, an address or a range is in force at every instance within 2 s, and lifted as fast (R8)', async () => {
    const blocks = [
      'shopper/auth0|mallory+1@example.com',
      'ip/198.51.100.9',
      'ip/192.0.2.0/25',
      'ip/2001:db8:5::/48',
    ]
    const last: Caller = { shopper: 'ann', address: '2001:db8:5:ffff::1' }
    const mallory = 'auth0|mallory+1@example.com'
    const shutOut: Caller[] = [
      { shopper: mallory, address: '203.0.113.7' },
      { shopper: mallory, address: '2001:db8::7' },
      { shopper: 'ann', address: '198.51.100.9' },
      { shopper: 'ann', address: '192.0.2.0' },
      { shopper: 'bob', address: '192.0.2.127' },
      last,
    ]
    const others: Caller[] = [
      { shopper: 'auth0|mallory', address: '203.0.113.7' },
      { shopper: 'ann', address: '198.51.100.10' },
      { shopper: 'ann', address: '192.0.2.128' },
      { shopper: 'ann', address: '2001:db8:6::1' },
    ]
    for (const caller of [...shutOut, ...others]) expect((await ask(caller)).every(isLetIn)).toBe(true)
    // An instance reads the list as a whole: one that has the last change has them all.
    for (const path of blocks) await block(path)
    expect(await untilAll(last, isRefused)).toBeLessThanOrEqual(2000)
    for (const caller of shutOut) expect((await ask(caller)).every(isRefused)).toBe(true)
    for (const caller of others) expect((await ask(caller)).every(isLetIn)).toBe(true)
    for (const path of blocks) await unblock(path)
    expect(await untilAll(last, isLetIn)).toBeLessThanOrEqual(2000)
    for (const caller of shutOut) expect((await ask(caller)).every(isLetIn)).toBe(true)
  })

  it('refuses buy requests, challenges and order changes too, from an address for every shopper (R8)', async () => {
    const { saleId, startToken } = await openSale(stack, { requirePass: 'off', challenge: 'pow' })
    await block('shopper/mallory')
    await block('ip/198.51.100.9')
    await untilAll({ shopper: 'mallory', address: '203.0.113.7' }, isRefused)
    await untilAll({ shopper: 'ann', address: '198.51.100.9' }, isRefused)
    const [instance] = instances
    for (const [token, address] of [
      [await stack.token('mallory'), '203.0.113.7'],
      [await stack.token('ann'), '198.51.100.9'],
      ['no token at all', '198.51.100.9'],
    ]) {
      const purchase = purchaseAt(saleId, { token: token ?? '', startToken, ...(address && { address }) })
      const cancel = `/api/orders/${saleId}-${'a'.repeat(26)}/cancel`
      for (const uri of [purchase.uri, `/api/sales/${saleId}/challenge`, cancel]) {
        const body = uri === purchase.uri ? purchase.body : '{}'
        const answer = await instance?.send({ ...purchase, uri, body })
        expect(answer, uri).toMatchObject({ status: 403, code: 'blocked', isForwarded: false })
      }
    }
  })

  it('is shown with its author and time, in its one spelling, in any spelling of the query (R8)', async () => {
    const from = Date.now()
    const made = await block('ip/2001:DB8:0:0::1/32')
    expect(made).toMatchObject({ kind: 'ip', value: '2001:db8::/32', who: 'marketer' })
    expect(made.when).toBeGreaterThanOrEqual(from)
    expect(made.when).toBeLessThanOrEqual(Date.now())
    const again = await call<Entry>(stack, '/api/control/blocklist/ip/2001:db8::/32', {
      method: 'PUT',
      token: await stack.token('another-marketer', { roles: ['marketer'] }),
    })
    expect(again.body, 'who was first').toEqual(made)
    expect(await blocklist()).toEqual([made])
    await unblock('ip/2001:db8:0::/32')
    expect(await blocklist()).toEqual([])
  })

  it('of their own address does not keep a marketer from lifting it (R8)', async () => {
    const { saleId, startToken } = await openSale(stack, { requirePass: 'off' })
    const own = ['ip/127.0.0.0/8', 'ip/::1', 'shopper/marketer']
    for (const path of own) await block(path)
    const token = await stack.token('marketer', { roles: ['marketer'] })
    const click = () => buyWhenThereIsRoom(stack, saleId, { token, startToken })
    const refused = await eventually(async () => {
      const answer = await click()
      return answer.status === 403 ? answer : undefined
    })
    expect(refused.body.code).toBe('blocked')
    expect(await blocklist()).toHaveLength(own.length)
    for (const path of own) await unblock(path)
    await eventually(async () => ((await click()).status < 300 ? true : undefined))
  })

  it('outlives the loss of the gate’s store, by the table and the scheduled repair (R8, P10)', async () => {
    await block('shopper/mallory')
    await block('ip/192.0.2.0/25')
    const shutOut = [
      { shopper: 'mallory', address: '203.0.113.7' },
      { shopper: 'ann', address: '192.0.2.1' },
    ]
    for (const caller of shutOut) await untilAll(caller, isRefused)
    await behind.loseRedis()
    await stack.runSchedule('reconcile', {})
    expect((await blocklist()).map(({ value }) => value).toSorted()).toEqual(['192.0.2.0/25', 'mallory'])
    const youngest = await openInstances(stack.edge, 1)
    instances = [...instances, ...youngest]
    for (const caller of shutOut) expect((await ask(caller)).every(isRefused)).toBe(true)
    // A list with an older listVersion would never be read again.
    await unblock('shopper/mallory')
    await untilAll({ shopper: 'mallory', address: '203.0.113.7' }, isLetIn)
  })
})

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
