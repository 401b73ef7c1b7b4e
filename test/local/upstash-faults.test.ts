import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFaultProxy } from '../../local/faults/fault-proxy.ts'
import type { FaultyConnection } from '../../local/faults/faults.ts'
import { type RunningRedis, startRedis } from '../../local/redis/redis-server.ts'
import { openLink, type RedisLink, RedisUnreachable } from '../../local/upstash/link.ts'
import { startTestRedis, type TestRedis } from './upstash-support.ts'

describe('the Upstash proxy during an outage of Redis', () => {
  let parts: TestRedis
  beforeEach(async () => {
    parts = await startTestRedis()
  })
  afterEach(() => parts.stop())

  it('answers 503, and serves again as soon as Redis is back on its port (I6)', async () => {
    const redis = parts.client()
    const script = redis.createScript<number>("#!lua flags=allow-key-locking\nreturn redis.call('INCR', KEYS[1])")
    expect(await script.exec(['n'], [])).toBe(1)
    await parts.redis.stop()
    expect((await parts.post('/', ['PING'])).status).toBe(503)
    expect((await parts.post('/pipeline', [['PING']])).status).toBe(503)
    await expect(redis.get('n')).rejects.toThrow('ERR Redis cannot be reached')

    const again = await startRedis({ port: parts.redis.port })
    expect(await redis.get('n')).toBeNull()
    expect(await script.exec(['n'], [])).toBe(1)
    await again.stop()
  })
})

describe('a link to Redis', () => {
  let redis: RunningRedis
  let line: FaultyConnection
  let link: RedisLink
  beforeEach(async () => {
    redis = await startRedis()
    line = await startFaultProxy({ targetPort: redis.port })
    link = openLink({ host: '127.0.0.1', port: line.port })
  })
  afterEach(async () => {
    link.close()
    await line.stop()
    await redis.stop()
  })

  it('fails all pending commands when a reply is lost, and then connects again', async () => {
    await link.send([['SET', 'n', '0']])
    line.set({ mode: 'lost-reply' })
    const lost = [
      link.send([['INCR', 'n']]),
      link.send([
        ['INCR', 'n'],
        ['INCR', 'n'],
      ]),
    ]
    for (const one of lost) await expect(one).rejects.toThrow(RedisUnreachable)
    line.set(null)
    const [n] = await link.send([['GET', 'n']])
    expect(String(n)).toBe('3')
  })

  it('gives each caller its own replies, for any split of the stream', async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `${i}:${'é'.repeat(i * 7)}`)
    const replies = await Promise.all(texts.map((text) => link.send([['ECHO', text], ['PING']])))
    expect(replies.map(([echo]) => String(echo))).toEqual(texts)
  })

  it('refuses to be used once closed', async () => {
    link.close()
    await expect(link.send([['PING']])).rejects.toThrow('the link was closed')
  })
})
