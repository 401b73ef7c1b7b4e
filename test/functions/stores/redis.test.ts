import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LatencyName, Watch } from '../../../functions/lib/telemetry.ts'
import { connectGate, connectStock } from '../../../functions/stores/redis.ts'
import { type Listening, listen } from '../../../local/listen.ts'
import { sendTogether } from '../../../redis/together.ts'

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

const stock = (timeoutMs = 1000) =>
  connectStock({ UPSTASH_REDIS_REST_URL: server.url, UPSTASH_REDIS_REST_TOKEN: 'any' }, timeoutMs, watch)
const gate = () => connectGate({ GATE_REDIS_REST_URL: server.url, GATE_REDIS_REST_TOKEN: 'any' }, 1000, watch)

describe('a call to Redis', () => {
  it('is timed once, under the name of its store', async () => {
    expect(await stock().exec(['PING'])).toBe(42)
    expect(taken).toEqual([['RedisLatency', answersAfterMs]])
    await gate().exec(['PING'])
    expect(taken[1]).toEqual(['GateRedisLatency', answersAfterMs])
  })

  it('is timed as one when it carries several commands', async () => {
    await sendTogether(stock(), [
      ['HDEL', 'key', 'one'],
      ['HDEL', 'key', 'two'],
    ])
    expect(taken).toEqual([['RedisLatency', answersAfterMs]])
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
