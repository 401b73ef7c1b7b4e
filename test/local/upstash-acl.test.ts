/**
 * The edge's users in a Redis with its own ACL: with the rules of the document they can do their
 * work, and no harm.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSaleFilter } from '../../core/sale-filter.ts'
import { type GateStore, redisGateStore } from '../../edge/memory/gate-store.ts'
import { type RunningRedis, startRedis } from '../../local/redis-server.ts'
import { openLink, type RedisLink } from '../../local/upstash/link.ts'
import { startUpstashProxy, type UpstashProxy } from '../../local/upstash/proxy.ts'
import { RedisError, type RespReply } from '../../local/upstash/resp.ts'
import type { Commander } from '../../redis/command.ts'
import { setGate } from '../../redis/gate.ts'
import { replenish } from '../../redis/replenish.ts'
import { listSale, publishFilter, readSales, setBlocked } from '../../redis/shared-lists.ts'
import { warmStock } from '../../redis/warm.ts'
import { readerRights, writerRights } from '../../system/redis-rights.ts'
import { filterKey } from '../edge/support.ts'
import { connectDirectly } from '../redis/direct.ts'
import { aSale, commandCounts, raw, shopperNamed } from '../redis/support.ts'

const users = {
  reader: { login: { username: 'gate-reader', password: 'the password of the reader' }, rules: readerRights },
  writer: { login: { username: 'gate-writer', password: 'the password of the writer' }, rules: writerRights },
}
type User = keyof typeof users
const now = Date.now()
const sale = aSale({ stock: 10 })
const { saleId } = sale

let server: RunningRedis
let owner: Commander & { stop(): void }
const proxies: UpstashProxy[] = []
const thieves = {} as Record<User, RedisLink>
let store: GateStore
beforeAll(async () => {
  server = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
  owner = connectDirectly(server.port)
  const stores = {} as Record<User, GateStore>
  for (const user of ['reader', 'writer'] as const) {
    const { login, rules } = users[user]
    await raw(owner, 'ACL', 'SETUSER', login.username, 'reset', 'on', `>${login.password}`, ...rules)
    // The proxy lets this token do anything: a refusal here comes from Redis.
    const address = { redisPort: server.port, redisLogin: login, strict: true }
    const proxy = await startUpstashProxy({ ...address, tokens: [{ token: 'any' }] })
    proxies.push(proxy)
    stores[user] = redisGateStore({ gateUrl: proxy.url, readerToken: 'any', writerToken: 'any' })
    thieves[user] = openLink({ host: server.host, port: server.port, login })
  }
  const { admit, firstUse } = stores.writer
  store = { ...stores.reader, admit, firstUse }

  await warmStock(owner, sale)
  await setGate(owner, { ...sale, nextStartsAt: null, rules: sale, frozen: false })
  await replenish(owner, saleId, { asOf: now, stockRevision: 0, epoch: 1, total: 10, booked: 0, ratio: 1.2 })
  await setBlocked(owner, 'shopper mallory', true, now)
  await listSale(owner, saleId, true, now)
  const { listVersion, saleIds } = await readSales(owner)
  await publishFilter(owner, buildSaleFilter(saleIds, filterKey), listVersion, now)
})
afterAll(async () => {
  for (const thief of Object.values(thieves)) thief.close()
  for (const proxy of proxies) await proxy.stop()
  owner.stop()
  await server.stop()
})

async function sendAs(user: User, ...words: string[]): Promise<RespReply | undefined> {
  return (await thieves[user].send([words]))[0]
}

/** All requests of the edge to its store, on every path through its scripts. */
async function askEverything() {
  const facts = await store.read(saleId)
  const lease = await store.admit(saleId, { now, waiting: 2 })
  if (lease.kind !== 'granted') throw new Error('there was something to grant')
  const returned = { second: lease.second, count: 1 }
  const again = await store.admit(saleId, { now, waiting: 3, returned })
  return {
    facts,
    leases: [lease, again],
    versions: await store.versions(),
    blocked: await store.blocklist(),
    filter: await store.filter(),
    saleIds: await store.saleIds(),
    isEarly: await store.isMember(saleId, shopperNamed('mallory')),
    uses: [
      await store.firstUse(saleId, 'c1', 'key-1', 60_000),
      await store.firstUse(saleId, 'c1', 'key-2', 60_000),
    ],
  }
}

describe("the edge's users", () => {
  it('can do all of their work, and have no unneeded command', async () => {
    await raw(owner, 'CONFIG', 'RESETSTAT')
    const answers = await askEverything()
    const counts = await commandCounts(owner)
    expect(answers).toMatchObject({
      facts: { flag: 'on', version: 1 },
      leases: [
        { kind: 'granted', count: 2 },
        { kind: 'granted', count: 3 },
      ],
      blocked: ['shopper mallory'],
      filter: expect.any(Buffer),
      saleIds: [saleId],
      isEarly: false,
      uses: [true, false],
    })
    expect(answers.versions.filter).toBeGreaterThanOrEqual(answers.versions.sales)
    const called = [...counts].filter(([, calls]) => calls > 0).map(([name]) => name)
    const byOthers = ['auth', 'config|resetstat', 'info']
    const granted = [...readerRights, ...writerRights].filter((rule) => rule.startsWith('+'))
    const needed = called.filter((name) => !byOthers.includes(name)).map((name) => `+${name}`)
    expect(needed.toSorted()).toEqual([...new Set(granted)].toSorted())
  })

  const stock = `stock:{${saleId}:0}`
  const precious: [what: string, key: string, write: string[]][] = [
    ['the flag of a sale', `gate:{${saleId}}`, ['HSET', 'flag', 'off']],
    ['who is blocked', 'gate:{-}:blocklist', ['HSET', 'shopper ann', '1']],
    ['the versions', 'gate:{-}:versions', ['HINCRBY', 'blocklist', '1']],
    ['the filter', 'gate:{-}:filter', ['SET', 'AAAA']],
    ['the list of sales', 'gate:{-}:sales', ['PEXPIRE', '1']],
    ['the stock', stock, ['HINCRBY', 'booked', '-1']],
    ['the buyers', `${stock}:buyers`, ['HSET', 'ann', 'x']],
    ['a lock', `lock:{${saleId}}`, ['SET', 'me']],
  ]

  const preciousToEach = precious.flatMap(([what, key, write]) =>
    (['reader', 'writer'] as const).map((user): [User, string, string, string[]] => [user, what, key, write]),
  )

  it.each(preciousToEach)(
    '(the %s) cannot change %s, by no command and no script',
    async (user, _, key, [name = '', ...words]) => {
      const before = await raw(owner, 'EXISTS', key)
      const dump = await raw(owner, 'DUMP', key)
      const call = `return redis.call('${name}', KEYS[1], unpack(ARGV))`
      const undeclared = `return redis.call('${name}', '${key}', unpack(ARGV))`
      const mine = `gate:{${saleId}}:admissions`
      for (const command of [
        [name, key, ...words],
        ['DEL', key],
        ['RENAME', key, mine],
        ['COPY', mine, key],
        ['EVAL', call, '1', key, ...words],
        ['EVAL', undeclared, '1', mine, ...words],
        ['EVAL', undeclared, '0', ...words],
      ]) {
        const reply = await sendAs(user, ...command)
        expect([command, reply]).toEqual([command, expect.any(RedisError)])
        expect(reply).toMatchObject({
          message: expect.stringMatching(/^NOPERM |ACL failure|can't (?:access|run)/),
        })
      }
      expect(await raw(owner, 'EXISTS', key)).toBe(before)
      expect(await raw(owner, 'DUMP', key)).toEqual(dump)
    },
  )

  it.each([
    ['HMGET', stock, 'total'],
    ['HKEYS', `${stock}:buyers`],
    ['GET', `lock:{${saleId}}`],
    ['EVAL', `return redis.call('HMGET', KEYS[1], 'total')`, '1', stock],
    ['KEYS', '*'],
    ['FLUSHALL'],
    ['CONFIG', 'GET', '*'],
    ['ACL', 'LIST'],
    ['SCRIPT', 'FLUSH'],
    ['PUBLISH', 'gate:{-}', 'x'],
  ])('see nothing of the stock and of the service itself: %s %s', async (...command) => {
    for (const user of ['reader', 'writer'] as const)
      expect(await sendAs(user, ...command)).toMatchObject({ message: expect.stringMatching(/^NOPERM /) })
  })

  it.each([
    ['gate.md', '    '],
    ['deploy.md', ''],
  ])('have the rules that docs/%s names', (file, indent) => {
    const page = readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')
    const lines = page.split('\n').filter((line) => line.includes('ACL SETUSER'))
    expect(lines).toEqual([
      `${indent}ACL SETUSER gate-reader reset on ><token> ${readerRights.join(' ')}`,
      `${indent}ACL SETUSER gate-writer reset on ><token> ${writerRights.join(' ')}`,
    ])
  })
})
