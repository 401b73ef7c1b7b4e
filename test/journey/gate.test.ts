import { afterEach, describe, expect, it } from 'vitest'
import type { FleetAnswer } from '../../proof/bench/fleet/fleet.ts'
import { ownSystem } from './own-stack.ts'
import { buyWhenAdmitted, control, eventually, openInstances, openSale } from './support.ts'

const { stack, system } = await ownSystem()
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
    expect((await ask({ shopper: 'ann', address: '192.0.2.128' })).every(isLetIn)).toBe(true)
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
