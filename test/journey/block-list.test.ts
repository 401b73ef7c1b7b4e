/** Blocks set by a marketer, at every instance of the gate (R8). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Answered, Fleet } from '../../bench/fleet/fleet.ts'
import { openSystem, type System } from '../../bench/system.ts'
import { type Stack, startStack } from '../../local/stack.ts'
import {
  buyWhenThereIsRoom,
  call,
  control,
  eventually,
  openInstances,
  openSale,
  purchaseAt,
} from './support.ts'

let stack: Stack
let behind: System
let instances: Fleet[]
beforeAll(async () => {
  stack = await startStack({ demo: false, challengeCost: 1 })
  behind = await openSystem(stack.url)
  instances = await openInstances(stack.edge, 5)
})
afterAll(async () => {
  behind.close()
  await stack.stop()
})

type Entry = { kind: string; value: string; who: string; when: number }

const blocklist = async () => (await control<{ entries: Entry[] }>(stack, '/blocklist')).entries
const block = (path: string) => control<Entry>(stack, `/blocklist/${path}`, undefined, 'PUT')
const unblock = (path: string) => control(stack, `/blocklist/${path}`, undefined, 'DELETE')

afterEach(async () => {
  for (const { kind, value } of await blocklist()) await unblock(`${kind}/${value}`)
})

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
  it.each<[string, string, Caller[], Caller[]]>([
    [
      'of a shopper',
      'shopper/auth0|mallory+1@example.com',
      [
        { shopper: 'auth0|mallory+1@example.com', address: '203.0.113.7' },
        { shopper: 'auth0|mallory+1@example.com', address: '2001:db8::7' },
      ],
      [
        { shopper: 'auth0|mallory', address: '203.0.113.7' },
        { shopper: 'ann', address: '203.0.113.7' },
      ],
    ],
    [
      'of an address',
      'ip/198.51.100.9',
      [{ shopper: 'ann', address: '198.51.100.9' }],
      [{ shopper: 'ann', address: '198.51.100.10' }],
    ],
    [
      'of a range',
      'ip/192.0.2.0/25',
      [
        { shopper: 'ann', address: '192.0.2.0' },
        { shopper: 'bob', address: '192.0.2.127' },
      ],
      [{ shopper: 'ann', address: '192.0.2.128' }],
    ],
    [
      'of a range of IPv6',
      'ip/2001:db8:5::/48',
      [{ shopper: 'ann', address: '2001:db8:5:ffff::1' }],
      [{ shopper: 'ann', address: '2001:db8:6::1' }],
    ],
  ])(
    '%s is in force at every instance within 2 s, and lifted as fast (R8)',
    async (_, path, shutOut, others) => {
      for (const caller of [...shutOut, ...others]) expect((await ask(caller)).every(isLetIn)).toBe(true)
      await block(path)
      const inForce = await Promise.all(shutOut.map((caller) => untilAll(caller, isRefused)))
      expect(Math.max(...inForce)).toBeLessThanOrEqual(2000)
      for (const caller of others) expect((await ask(caller)).every(isLetIn)).toBe(true)
      await unblock(path)
      const lifted = await Promise.all(shutOut.map((caller) => untilAll(caller, isLetIn)))
      expect(Math.max(...lifted)).toBeLessThanOrEqual(2000)
    },
  )

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

  it.each<[string, string]>([
    ['ip/999.1.1.1', 'address'],
    ['ip/10.0.0.01', 'address'],
    ['ip/somewhere', 'address'],
    ['ip/10.0.0.0/33', 'prefix'],
    ['ip/2001:db8::/129', 'prefix'],
    ['ip/10.0.0.0/wide', 'prefix'],
  ])('of %s is rejected, with the name of the field (R8)', async (path, field) => {
    const token = await stack.token('marketer', { roles: ['marketer'] })
    for (const method of ['PUT', 'DELETE']) {
      const answer = await call(stack, `/api/control/blocklist/${path}`, { method, token })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    }
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
