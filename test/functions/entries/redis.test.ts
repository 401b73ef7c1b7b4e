import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { maxListAgeMs } from '../../../core/stock/database.ts'
import { placementCacheMs } from '../../../core/stock/placement.ts'
import { secretList } from '../../../functions/entries/adapters/stock-list.secretsmanager.ts'
import { connectGate, connectStock, openDatabases, type Placements } from '../../../functions/entries/redis.ts'
import type { LatencyName } from '../../../functions/lib/telemetry.ts'
import { startSecretsManager } from '../../../local/aws/secrets-manager.ts'
import { type Listening, listen } from '../../../local/listen.ts'
import { type Command, command } from '../../../redis/command.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { saleIdOf } from '../../redis/support.ts'

type Behaviour = 'answer' | 'refuse' | 'never'

/** How long the server takes, by the clock that the client reads. */
const answersAfterMs = 20

let behaviour: Behaviour
let now: number
let server: Listening
let taken: [name: LatencyName, milliseconds: number][]
let warned: string[]
const silent = () => {}
const watch = {
  record: (name: LatencyName, milliseconds: number) => void taken.push([name, milliseconds]),
  log: { info: silent, error: silent, warn: (message: string) => void warned.push(message) },
}

beforeEach(async () => {
  behaviour = 'answer'
  taken = []
  warned = []
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const http = createServer((request, response) => {
    now += answersAfterMs
    if (behaviour === 'never') return
    const reply = behaviour === 'answer' ? { result: 42 } : { error: 'ERR no such thing' }
    const isPipeline = request.url?.endsWith('/pipeline') === true
    response.writeHead(behaviour === 'refuse' && !isPipeline ? 400 : 200)
    response.end(JSON.stringify(isPipeline ? [reply, reply] : reply))
  })
  server = await listen(http, 0)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server.stop()
})

const unknown: Placements = () => Promise.reject(new Error('the places cannot be read'))
const databaseAt = (name: string, url: string) => ({ name, url, token: 'any', commandsPerSecond: 10_000 })
const patienceMs = 60_000
const stock = (timeoutMs = patienceMs) =>
  connectStock(
    openDatabases(async () => [databaseAt('main', server.url)], timeoutMs, watch),
    async () => ['main'],
  )
const [mug, lamp] = [saleIdOf('mug'), saleIdOf('lamp')]
const readMug: Command = ['HLEN', stockKeys(mug).stock]
const readLamp: Command = ['HLEN', stockKeys(lamp).stock]
const gate = () => connectGate({ GATE_REDIS_REST_URL: server.url, GATE_REDIS_REST_TOKEN: 'any' }, patienceMs, watch)

describe('a call to Redis', () => {
  it('is timed once, under the name of its store, also when it reads several keys', async () => {
    expect(await stock().exec(readMug)).toBe(42)
    expect(taken).toEqual([['RedisLatency', answersAfterMs]])
    await gate().exec(['PING'])
    expect(taken.splice(0)[1]).toEqual(['GateRedisLatency', answersAfterMs])
    await gate().pipeline([
      ['HMGET', 'one', 'units'],
      ['HMGET', 'other', 'units'],
    ])
    expect(taken).toEqual([['GateRedisLatency', answersAfterMs]])
  })

  it('that Redis rejects is counted with the time it took, and fails as before', async () => {
    behaviour = 'refuse'
    await expect(stock().exec(readMug)).rejects.toThrow('ERR no such thing')
    expect(taken).toEqual([['RedisLatency', answersAfterMs]])
  })

  it('that never returns is counted with the time spent waiting', async () => {
    behaviour = 'never'
    // Long enough for the request to arrive on a busy machine.
    await expect(stock(1000).exec(readMug)).rejects.toThrow()
    expect(taken).toEqual([['RedisLatency', answersAfterMs]])
  })

  it('is not blamed for the hours in which its function was frozen', async () => {
    const asked = gate().exec(['PING'])
    now = 3_600_000
    await asked
    expect(taken).toEqual([['GateRedisLatency', patienceMs]])
  })
})

describe('several databases', () => {
  let other: Listening
  let asked: string[]
  let places: Map<string, readonly string[]>
  let reached: string[]
  let secrets: Map<string, string>
  let secretsManager: Listening
  beforeEach(async () => {
    asked = []
    reached = []
    places = new Map([
      ['lamp', ['other']],
      ['mug', ['main']],
    ])
    await server.stop()
    server = await serverNamed('main')
    other = await serverNamed('other')
    secrets = new Map()
    secretsManager = await startSecretsManager(secrets)
    store([databaseAt('main', server.url), databaseAt('other', other.url)])
  })
  afterEach(async () => {
    await other.stop()
    await secretsManager.stop()
  })

  const serverNamed = (name: string) =>
    listen(
      createServer((_, response) => {
        reached.push(name)
        response.end('{"result":1}')
      }),
      0,
    )
  const store = (list: unknown) =>
    secrets.set('sluice/test/redis', JSON.stringify({ stockDatabases: JSON.stringify(list) }))
  const open = () => {
    const access = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }
    const read = secretList({
      ...access,
      STOCK_SECRET_ID: 'sluice/test/redis',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
    })
    return openDatabases(read, 1000, watch)
  }
  const both = (databases = open()) =>
    connectStock(databases, async (saleId) => {
      asked.push(saleId)
      return places.get(saleId)
    })

  it('are reached by their names, wherever a sale is placed', async () => {
    const databases = open()
    await (await databases.named('other'))?.exec(['PING'])
    await (await databases.named('main'))?.exec(['PING'])
    expect(reached).toEqual(['other', 'main'])
    expect(await databases.named('third')).toBeUndefined()
  })

  it('each have the sales that were placed there, asked for once (S16)', async () => {
    const redis = both()
    for (const command of [readLamp, readLamp, readMug]) await redis.exec(command)
    expect(reached).toEqual(['other', 'other', 'main'])
    expect(asked).toEqual(['lamp', 'mug'])
  })

  it('are known before the first request of a sale that was published before (S9)', async () => {
    const redis = both()
    await redis.preload(async () => new Map([[mug, ['other']]]))
    await redis.exec(readMug)
    expect(reached).toEqual(['other'])
    expect(asked).toEqual([])
    await redis.exec(readLamp)
    expect(asked).toEqual(['lamp'])
  })

  it('are asked for by the first request where they could not be read before', async () => {
    const redis = both()
    await expect(redis.preload(() => Promise.reject(new Error('the gate does not answer')))).rejects.toThrow()
    await redis.exec(readMug)
    expect(reached).toEqual(['main'])
  })

  it('of a split sale are read again ahead of need, and never used after two seconds (S17)', async () => {
    const redis = both()
    places.set('mug', ['main', 'other'])
    await redis.exec(readMug)
    now += placementCacheMs / 2
    places.set('mug', ['other', 'main'])
    // Answered from memory, and read again meanwhile.
    await redis.exec(readMug)
    await expect.poll(() => asked).toEqual(['mug', 'mug'])
    await redis.exec(readMug)
    now += placementCacheMs
    await redis.exec(readMug)
    expect(asked).toHaveLength(3)
    expect(reached).toEqual(['main', 'main', 'other', 'other'])
  })

  it('are read again for a sale that is not placed yet', async () => {
    const redis = both()
    places.set('mug', [])
    await redis.exec(readMug)
    places.set('mug', ['other'])
    await redis.exec(readMug)
    expect(reached).toEqual(['main', 'other'])
  })

  it('reject what is asked of a sale whose database is not listed any more, and of one whose place cannot be read', async () => {
    places.set('mug', ['removed'])
    await expect(command(both(), readMug)).rejects.toThrow(RedisUnavailable)
    await expect(command(connectStock(open(), unknown), readMug)).rejects.toThrow(RedisUnavailable)
    expect(reached).toEqual([])
  })

  it('are added in front of the others without a deployment, and no sale moves (S16)', async () => {
    store([databaseAt('main', server.url)])
    const redis = both()
    await redis.exec(readMug)
    store([databaseAt('other', other.url), databaseAt('main', server.url)])
    now += 1000
    // Its database is not in the list of this process, so the list is read at once.
    await redis.exec(readLamp)
    await redis.exec(readMug)
    expect(reached).toEqual(['main', 'other', 'main'])
  })

  it('have the address of five minutes ago at most, which a process that never stops reads again', async () => {
    const databases = open()
    await (await databases.named('main'))?.exec(['PING'])
    store([databaseAt('main', other.url)])
    now += maxListAgeMs - 1000
    await (await databases.named('main'))?.exec(['PING'])
    now += 1000
    await databases.list()
    await expect.poll(async () => (await databases.list())[0]?.url).toBe(other.url)
    await (await databases.named('main'))?.exec(['PING'])
    expect(reached).toEqual(['main', 'main', 'other'])
  })

  it('stay known while the secret cannot be read, and are unavailable to a process that never read it (I6)', async () => {
    const databases = open()
    const redis = both(databases)
    await redis.exec(readMug)
    secrets.clear()
    now += maxListAgeMs
    await redis.exec(readMug)
    await expect.poll(() => warned.length).toBeGreaterThan(0)
    await redis.exec(readMug)
    expect(reached).toEqual(['main', 'main', 'main'])
    expect(warned).toEqual(['list of databases not read again'])
    const late = both()
    await expect(command(late, readMug)).rejects.toThrow(RedisUnavailable)
    store([databaseAt('main', server.url)])
    await late.exec(readMug)
    expect(reached).toHaveLength(4)
  })

  it.each([
    ['no list', undefined, 'ResourceNotFoundException'],
    ['an invalid list', [databaseAt('Main', 'http://main.example')], 'stockDatabases.0.name must be 1 to 20'],
    ['a list without a database', [], 'stockDatabases must list a database'],
  ])('are not reached with %s, and the error has no token', async (_, list, reason) => {
    if (list === undefined) secrets.clear()
    else store(list)
    const failure: unknown = await open()
      .list()
      .catch((error: unknown) => error)
    expect(String(failure)).toContain(reason)
    expect(String(failure)).not.toContain('any')
  })
})
