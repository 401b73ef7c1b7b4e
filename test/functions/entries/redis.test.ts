import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Placements } from '../../../functions/entries/redis.ts'
import { connectDatabases, connectGate, connectStock } from '../../../functions/entries/redis.ts'
import type { LatencyName, Watch } from '../../../functions/lib/telemetry.ts'
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
const watch: Watch = { took: (name, milliseconds) => void taken.push([name, milliseconds]) }

beforeEach(async () => {
  behaviour = 'answer'
  taken = []
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

const unused: Placements = () => Promise.reject(new Error('no placement is needed'))
const databaseAt = (name: string, url: string) => ({ name, url, token: 'any', commandsPerSecond: 10_000 })
const stock = (timeoutMs = 1000, placements: Placements = unused) =>
  connectStock({ STOCK_DATABASES: [databaseAt('main', server.url)] }, timeoutMs, watch, placements)
const gate = () => connectGate({ GATE_REDIS_REST_URL: server.url, GATE_REDIS_REST_TOKEN: 'any' }, 1000, watch)

describe('a call to Redis', () => {
  it('is timed once, under the name of its store', async () => {
    expect(await stock().exec(['PING'])).toBe(42)
    expect(taken).toEqual([['RedisLatency', answersAfterMs]])
    await gate().exec(['PING'])
    expect(taken[1]).toEqual(['GateRedisLatency', answersAfterMs])
  })

  it('is timed as one when it reads several keys', async () => {
    await gate().pipeline([
      ['HMGET', 'one', 'units'],
      ['HMGET', 'other', 'units'],
    ])
    expect(taken).toEqual([['GateRedisLatency', answersAfterMs]])
  })

  it('that Redis rejects is counted with the time it took, and fails as before', async () => {
    behaviour = 'refuse'
    await expect(stock().exec(['PING'])).rejects.toThrow('ERR no such thing')
    expect(taken).toEqual([['RedisLatency', answersAfterMs]])
  })

  it('that never returns is counted with the time spent waiting', async () => {
    behaviour = 'never'
    await expect(stock(40).exec(['PING'])).rejects.toThrow()
    expect(taken).toEqual([['RedisLatency', answersAfterMs]])
  })

  it('is not blamed for the hours in which its function was frozen', async () => {
    const redis = stock(1000)
    const asked = redis.exec(['PING'])
    now = 3_600_000
    await asked
    expect(taken).toEqual([['RedisLatency', 1000]])
  })
})

describe('several databases', () => {
  const [mug, lamp] = [saleIdOf('mug'), saleIdOf('lamp')]
  const readMug: Command = ['HLEN', stockKeys(mug).stock]
  const readLamp: Command = ['HLEN', stockKeys(lamp).stock]

  let other: Listening
  let asked: string[]
  let places: Map<string, readonly string[]>
  let reached: string[]
  beforeEach(async () => {
    asked = []
    reached = []
    places = new Map([['lamp', ['other']]])
    server = await replaceBy(server, 'main')
    other = await serverNamed('other')
  })
  afterEach(() => other.stop())

  it('are reached by their names, wherever a sale is placed', async () => {
    const list = [databaseAt('main', server.url), databaseAt('other', other.url)]
    const named = connectDatabases({ STOCK_DATABASES: list }, 1000, watch)
    await named('other')?.exec(['PING'])
    await named('main')?.exec(['PING'])
    expect(reached).toEqual(['other', 'main'])
    expect(named('third')).toBeUndefined()
  })

  const serverNamed = (name: string) =>
    listen(
      createServer((_, response) => {
        reached.push(name)
        response.end('{"result":1}')
      }),
      0,
    )
  const replaceBy = async (before: Listening, name: string) => {
    await before.stop()
    return serverNamed(name)
  }
  const both = () =>
    connectStock(
      { STOCK_DATABASES: [databaseAt('main', server.url), databaseAt('other', other.url)] },
      1000,
      watch,
      async (saleId) => {
        asked.push(saleId)
        return places.get(saleId)
      },
    )

  it('each have the sales that were placed there, asked for once (S16)', async () => {
    const redis = both()
    for (const command of [readLamp, readLamp, readMug]) await redis.exec(command)
    expect(reached).toEqual(['other', 'other', 'main'])
    expect(asked).toEqual(['lamp', 'mug'])
  })

  it('are looked up again for a sale that is not placed yet', async () => {
    const redis = both()
    places.set('mug', [])
    await redis.exec(readMug)
    places.set('mug', ['other'])
    await redis.exec(readMug)
    expect(reached).toEqual(['main', 'other'])
  })

  it('reject what is asked of a sale whose database is not listed any more, and of one whose place cannot be read', async () => {
    const redis = both()
    places.set('mug', ['removed'])
    await expect(command(redis, readMug)).rejects.toThrow(RedisUnavailable)
    const lost = connectStock(
      { STOCK_DATABASES: [databaseAt('main', server.url), databaseAt('other', other.url)] },
      1000,
      watch,
      unused,
    )
    await expect(command(lost, readMug)).rejects.toThrow(RedisUnavailable)
    expect(reached).toEqual([])
  })
})
