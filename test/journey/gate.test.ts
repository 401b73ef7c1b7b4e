import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterEach, describe, expect, it } from 'vitest'
import type { Fleet, FleetAnswer } from '../../proof/bench/fleet/fleet.ts'
import { ownSystem } from './own-stack.ts'
import { buyWhenAdmitted, control, eventually, openInstances, openSale, writtenOrder } from './support.ts'

const { stack, system } = await ownSystem({ challengeCost: 1 })
let instances = await openInstances(stack.edge, 8)

type Entry = { kind: string; value: string; who: string; when: number }

const blocklist = async () => (await control<{ entries: Entry[] }>(stack, '/blocklist')).entries
const block = (path: string) => control<Entry>(stack, `/blocklist/${path}`, undefined, 'PUT')
const unblock = (path: string) => control(stack, `/blocklist/${path}`, undefined, 'DELETE')

type Caller = { shopper: string; address: string }

/** The answer of every instance to a caller who asks for the list of their own orders. */
async function ask({ shopper, address }: Caller): Promise<FleetAnswer[]> {
  const headers = { authorization: `Bearer ${await stack.token(shopper)}` }
  const question = { method: 'GET', uri: '/api/orders', headers, body: '', address } as const
  return Promise.all(instances.map((one) => one.send(question)))
}

const isRefused = ({ status, code, isForwarded }: FleetAnswer) => status === 403 && code === 'blocked' && !isForwarded
const isLetIn = ({ status, isForwarded }: FleetAnswer) => status === 200 && isForwarded

/** Resolves once every instance gives the caller this answer; how soon that is, the tests of the gate say. */
const untilAll = (caller: Caller, answersSo: (answer: FleetAnswer) => boolean) =>
  eventually(async () => (await ask(caller)).every(answersSo) || undefined)

describe('a block', () => {
  afterEach(async () => {
    for (const { kind, value } of await blocklist()) await unblock(`${kind}/${value}`)
  })

  it('of a shopper, an address or a range is in force at every instance, and lifted at all of them (R8)', async () => {
    const blocks = ['shopper/auth0|mallory+1@example.com', 'ip/198.51.100.9', 'ip/192.0.2.0/25', 'ip/2001:db8:5::/48']
    const last: Caller = { shopper: 'ann', address: '2001:db8:5:ffff::1' }
    const mallory = 'auth0|mallory+1@example.com'
    const shutOut: Caller[] = [
      { shopper: mallory, address: '203.0.113.7' },
      { shopper: 'ann', address: '198.51.100.9' },
      { shopper: 'ann', address: '192.0.2.0' },
      last,
    ]
    const others: Caller[] = [
      { shopper: 'auth0|mallory', address: '203.0.113.7' },
      { shopper: 'ann', address: '192.0.2.128' },
      { shopper: 'ann', address: '2001:db8:6::1' },
    ]
    for (const caller of [...shutOut, ...others]) expect((await ask(caller)).every(isLetIn)).toBe(true)
    // An instance reads the list as a whole: one that has the last change has them all.
    for (const path of blocks) await block(path)
    await untilAll(last, isRefused)
    for (const caller of shutOut) expect((await ask(caller)).every(isRefused)).toBe(true)
    for (const caller of others) expect((await ask(caller)).every(isLetIn)).toBe(true)
    for (const path of blocks) await unblock(path)
    await untilAll(last, isLetIn)
    for (const caller of shutOut) expect((await ask(caller)).every(isLetIn)).toBe(true)
  })

  it('of their own address does not keep a marketer from lifting it (R8)', async () => {
    const { saleId, startToken } = await openSale(stack, { requirePass: 'off' })
    const own = ['ip/127.0.0.0/8', 'ip/::1']
    for (const path of own) await block(path)
    const token = await stack.token('marketer', { roles: ['marketer'] })
    const click = () => buyWhenAdmitted(stack, saleId, { token, startToken })
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
    await system.loseRedis()
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
  const headers = { authorization: `Bearer ${token}`, origin: stack.url }
  const uri = `/api/sales/${saleId}/challenge`
  const { status, body } = await instance(0).send({ method: 'POST', uri, headers, body: '', address })
  expect(status, body).toBe(200)
  const challenge: Challenge = JSON.parse(body)
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

describe('a sale with a challenge', () => {
  it('issues and solves it before the start, and accepts it with the buy request (R5)', async () => {
    const startsAt = Date.now() + 1_800_000
    const { saleId, startToken } = await openSale(stack, { requirePass: 'off', challenge: 'pow', startsAt })
    const token = await stack.token('ann')
    const challenge = await solved(saleId, token)
    const wanted = { token, startToken, challenge }
    expect((await buyWhenAdmitted(stack, saleId, wanted)).body.code).toBe('not-started')
    await control(stack, `/sales/${saleId}/start`, { now: true })
    const won = await eventually(async () => {
      const answer = await buyWhenAdmitted(stack, saleId, wanted)
      return answer.body.code === 'not-started' ? undefined : answer
    })
    expect(won.status).toBe(202)
    expect((await writtenOrder(stack, won.body.orderId, token)).quantity).toBe(1)
  })
})
