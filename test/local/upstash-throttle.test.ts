import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningRedis, startRedis } from '../../local/redis/redis-server.ts'
import type { Capacity } from '../../local/upstash/capacity.ts'
import { openLink, type RedisLink, RedisUnreachable } from '../../local/upstash/link.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'
import { throttled } from '../../local/upstash/throttle.ts'

let redis: RunningRedis
let link: RedisLink
beforeEach(async () => {
  redis = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
  link = openLink(redis)
})
afterEach(async () => {
  link.close()
  await redis.stop()
})

/** A capacity without a limit, which notes what each request is counted for. */
function noted(): { capacity: Capacity; counts: number[] } {
  const counts: number[] = []
  return {
    counts,
    capacity: { take: async () => (commands) => void counts.push(commands), change: () => {} },
  }
}

const stays = () => false
const script = "redis.call('SET', KEYS[1], 1) redis.call('INCR', KEYS[1]) return redis.call('GET', KEYS[1])"

describe('a throttled request', () => {
  it('counts every command of it, those inside a script included, and returns the replies alone', async () => {
    const { capacity, counts } = noted()
    const sender = throttled(link, capacity, stays)
    const texts = async (...commands: string[][]) => (await sender.send(commands)).map(String)
    expect(await texts(['ECHO', 'one'])).toEqual(['one'])
    expect(await texts(['ECHO', 'one'], ['ECHO', 'two'])).toEqual(['one', 'two'])
    expect(await texts(['EVAL', script, '1', 'n'])).toEqual(['2'])
    expect(counts).toEqual([1, 2, 4])
  })

  it('counts the same while other connections send commands', async () => {
    const { capacity, counts } = noted()
    const other = openLink(redis)
    const busy = Array.from({ length: 500 }, () => other.send([['PING']]))
    const replies = Array.from({ length: 50 }, () =>
      throttled(link, capacity, stays).send([['EVAL', script, '1', 'n']]),
    )
    await Promise.all([...busy, ...replies])
    other.close()
    expect(new Set(counts)).toEqual(new Set([4]))
  })

  it('does not run when the client has left', async () => {
    const sender = throttled(link, { take: async () => undefined, change: () => {} }, () => true)
    await expect(sender.send([['SET', 'n', '1']])).rejects.toThrow(RedisUnreachable)
    expect(await link.send([['GET', 'n']])).toEqual([null])
  })

  it('counts for its commands when Redis is gone', async () => {
    const { capacity, counts } = noted()
    await redis.stop()
    await expect(throttled(link, capacity, stays).send([['PING'], ['PING']])).rejects.toThrow()
    expect(counts).toEqual([2])
  })
})

describe('a proxy with a limit of commands per second', () => {
  const startLimited = (commandsPerSecond: number) =>
    startUpstashProxy({
      ...{ redisPort: redis.port, tokens: [{ token: 'secret' }] },
      ...{ strict: true, commandsPerSecond },
    })

  it('answers every request, none of them with an error, and makes those above the limit wait', async () => {
    const proxy = await startLimited(200)
    try {
      const startedAt = performance.now()
      const answers = await Promise.all(
        Array.from({ length: 60 }, async () => {
          const headers = { authorization: 'Bearer secret' }
          return (await fetch(proxy.url, { method: 'POST', headers, body: '["INCR","n"]' })).status
        }),
      )
      expect(new Set(answers)).toEqual(new Set([200]))
      expect(performance.now() - startedAt, '40 of 60 wait for 5 ms each').toBeGreaterThan(190)
      expect((await link.send([['GET', 'n']])).map(String)).toEqual(['60'])
    } finally {
      await proxy.stop()
    }
  })

  it('does not run what waits for a client that has closed its connection', async () => {
    const proxy = await startLimited(1)
    const incr = (key: string) => {
      const body = JSON.stringify(['INCR', key])
      return `POST / HTTP/1.1\r\nhost: local\r\nauthorization: Bearer secret\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    }
    const client = () => connect(proxy.port, '127.0.0.1')
    const [first, leaving, last] = [client(), client(), client()]
    try {
      first.write(incr('first'))
      await once(first, 'data')
      await new Promise((sent) => leaving.write(incr('left'), sent))
      leaving.resetAndDestroy()
      last.write(incr('last'))
      await once(last, 'data')
      expect((await link.send([['MGET', 'first', 'left', 'last']])).flat().map(String)).toEqual(['1', 'null', '1'])
    } finally {
      for (const socket of [first, leaving, last]) socket.destroy()
      await proxy.stop()
    }
  })
})
