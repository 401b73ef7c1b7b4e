/**
 * The edge's users with the rules of the document, in a Redis with its own ACL and at the proxy: they
 * can do their work, and no harm.
 */
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { buildSaleFilter } from '../../core/gate/sale-filter.ts'
import { type GateStore, redisGateStore } from '../../edge/memory/gate-store.ts'
import { listen } from '../../local/listen.ts'
import { startRedis } from '../../local/redis/redis-server.ts'
import { openLink, type RedisLink } from '../../local/upstash/link.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'
import { encodeCommand, RedisError } from '../../local/upstash/resp.ts'
import { setGate } from '../../redis/gate/gate.ts'
import { replenish } from '../../redis/gate/replenish.ts'
import { listSale, publishFilter, readSales, setBlocked } from '../../redis/gate/shared-lists.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { readerRights, writerRights } from '../../system/redis-rights.ts'
import { filterKey } from '../edge/support.ts'
import { aSale, commandCounts, connectDirectly, raw, shopperNamed } from '../redis/support.ts'

const users = {
  reader: { login: ['gate-reader', 'the password of the reader'], rules: readerRights },
  writer: { login: ['gate-writer', 'the password of the writer'], rules: writerRights },
} as const
type User = keyof typeof users
const now = Date.now()
const sale = aSale({ stock: 10 })
const { saleId } = sale

/** Where the rules are applied: by Redis, or by the proxy as Upstash does. */
type Guard = 'a Redis with its own ACL' | 'the proxy'
type Guarded = {
  store: GateStore
  /** The text of the refusal; undefined when the command was carried out. */
  refusal(user: User, ...command: string[]): Promise<string | undefined>
}

const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})
const server = await startRedis()
const owner = connectDirectly(server)
stops.push(server.stop, () => owner.stop())
const storeOf = (reader: GateStore, { admit, firstUse }: GateStore): GateStore => ({ ...reader, admit, firstUse })
const guarded: Record<Guard, Guarded> = {
  'a Redis with its own ACL': await openAcl(),
  'the proxy': await openProxy(),
}

await warmStock(owner, sale)
await setGate(owner, { ...sale, nextStartsAt: null, rules: sale, frozen: false })
await replenish(owner, saleId, { asOf: now, stockRevision: 0, epoch: 1, total: 100, booked: 0, ratio: 1.2 })
await setBlocked(owner, 'shopper mallory', true, now)
await listSale(owner, saleId, true, now)
const { listVersion, saleIds } = await readSales(owner)
await publishFilter(owner, buildSaleFilter(saleIds, filterKey), listVersion, now)

/** A port whose connections are those of the user, who is logged in at Redis before anything else is sent. */
async function portOf({ login }: (typeof users)[User]): Promise<number> {
  const front = createServer((client) => {
    const redis = connect(server.port, server.host)
    redis.write(encodeCommand(['AUTH', ...login]))
    redis.once('data', (reply) => {
      if (String(reply) === '+OK\r\n') client.pipe(redis).pipe(client)
      else client.destroy(new Error(`Redis refused the login: ${reply}`))
    })
  })
  const { port, stop } = await listen(front, 0)
  stops.push(stop)
  return port
}

async function openAcl(): Promise<Guarded> {
  const stores = {} as Record<User, GateStore>
  const links = {} as Record<User, RedisLink>
  for (const user of ['reader', 'writer'] as const) {
    const [name, password] = users[user].login
    await raw(owner, 'ACL', 'SETUSER', name, 'reset', 'on', `>${password}`, ...users[user].rules)
    const redisPort = await portOf(users[user])
    // The proxy lets this token do anything: a refusal here comes from Redis.
    const proxy = await startUpstashProxy({ redisPort, strict: true, tokens: [{ token: 'any' }] })
    stores[user] = redisGateStore({ gateUrl: proxy.url, readerToken: 'any', writerToken: 'any' })
    const link = openLink({ host: server.host, port: redisPort })
    links[user] = link
    stops.push(() => link.close(), proxy.stop)
  }
  return {
    store: storeOf(stores.reader, stores.writer),
    async refusal(user, ...command) {
      const [reply] = await links[user].send([command])
      return reply instanceof RedisError ? reply.message : undefined
    },
  }
}

async function openProxy(): Promise<Guarded> {
  const tokens = [
    { token: 'reader', rules: readerRights },
    { token: 'writer', rules: writerRights },
  ]
  const proxy = await startUpstashProxy({ redisPort: server.port, tokens, strict: true })
  stops.push(proxy.stop)
  return {
    store: redisGateStore({ gateUrl: proxy.url, readerToken: 'reader', writerToken: 'writer' }),
    async refusal(user, ...command) {
      const headers = { authorization: `Bearer ${user}` }
      const answer = await fetch(proxy.url, { method: 'POST', headers, body: JSON.stringify(command) })
      return ((await answer.json()) as { error?: string }).error
    },
  }
}

/** All requests of the edge to its store, on every path through its scripts. */
async function askEverything(store: GateStore, challenge: string) {
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
    isEarly: [
      await store.isMember(saleId, shopperNamed('mallory')),
      await store.isMember(saleId, shopperNamed('mallory'), 'm'),
    ],
    uses: [
      await store.firstUse(saleId, challenge, 'key-1', 60_000),
      await store.firstUse(saleId, challenge, 'key-2', 60_000),
    ],
  }
}

describe.each<Guard>(['a Redis with its own ACL', 'the proxy'])("the edge's users of %s", (guard) => {
  it('can do all of their work, and have no unneeded command', async () => {
    await raw(owner, 'CONFIG', 'RESETSTAT')
    const answers = await askEverything(guarded[guard].store, guard)
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
      isEarly: [false, false],
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
        ['GETDEL', key],
        ['EXPIRE', key, '1'],
        ['RENAME', key, mine],
        ['COPY', mine, key],
        ['EVAL', call, '1', key, ...words],
        ['EVAL', undeclared, '1', mine, ...words],
        ['EVAL', undeclared, '0', ...words],
      ]) {
        const refusal = /^NOPERM |ACL failure|can't (?:access|run)|not in KEYS/
        expect(await guarded[guard].refusal(user, ...command), String(command)).toMatch(refusal)
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
    ['PING'],
    ['SCRIPT', 'LOAD', 'return 1'],
    // Commands that the gate does not need for its own keys.
    ['HGETALL', `gate:{${saleId}}`],
    ['DEL', `gate:{${saleId}}:admissions`],
    ['hdel', `gate:{${saleId}}:admissions`, 'b1'],
    ['PEXPIREAT', `gate:{${saleId}}:solved:c1`, '1'],
  ])('see nothing of the stock and of the service itself: %s %s', async (...command) => {
    for (const user of ['reader', 'writer'] as const)
      expect(await guarded[guard].refusal(user, ...command)).toMatch(/^NOPERM /)
  })
})

describe("the edge's users", () => {
  it('have the rules that docs/guide/gate.md names', () => {
    const page = readFileSync(new URL('../../docs/guide/gate.md', import.meta.url), 'utf8')
    const lines = page.split('\n').filter((line) => line.includes('ACL SETUSER'))
    expect(lines).toEqual([
      `    ACL SETUSER gate-reader reset on ><token> ${readerRights.join(' ')}`,
      `    ACL SETUSER gate-writer reset on ><token> ${writerRights.join(' ')}`,
    ])
  })
})
