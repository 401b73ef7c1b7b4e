import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RunningRedis, startRedis } from '../../local/redis/redis-server.ts'
import { type Capacity, type Clock, openCapacity, throttled } from '../../local/upstash/capacity.ts'
import { openLink, type RedisLink, RedisUnreachable } from '../../local/upstash/link.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'
import { useStops } from '../stops.ts'

const stays = () => false

/** A capacity with a clock that jumps to the end of each wait. */
function limited(perSecond: number) {
  let time = 1000
  const pass = async (ms: number) => {
    time += ms
  }
  const clock: Clock = { now: () => time, wait: pass }
  const capacity = openCapacity(perSecond, clock)
  return {
    ...{ capacity, clock, pass },
    /** Requests that follow each other, each with so many commands. */
    async run(requests: number, commands = 1) {
      for (let request = 0; request < requests; request += 1) (await capacity.take(stays))?.(commands)
    },
    passed: () => time - 1000,
  }
}

describe('the capacity of a database', () => {
  it('lets requests through at the limit, and not faster', async () => {
    const { run, passed } = limited(100)
    await run(210)
    expect(passed(), 'ten at once, then one in 10 ms').toBe(2000)
  })

  it('counts the commands that a script ran', async () => {
    const { run, passed } = limited(1000)
    await run(250, 8)
    const seconds = passed() / 1000
    expect((250 * 8) / seconds).toBeGreaterThan(950)
    expect((250 * 8 - 100) / seconds).toBeLessThan(1010)
  })

  it('counts them for requests that arrive together as well', async () => {
    const { capacity, run, passed } = limited(1000)
    await Promise.all(
      Array.from({ length: 500 }, async () => {
        const settle = await capacity.take(stays)
        await Promise.resolve()
        settle?.(8)
      }),
    )
    await run(1)
    expect(passed(), '4,000 commands, of which 100 at once').toBeGreaterThan(3700)
    expect(passed()).toBeLessThan(4000)
  })

  it('expects of the next requests what the last ones ran, so that a crowd does not pass at once', async () => {
    const { capacity, clock, run, pass } = limited(1000)
    await run(200, 8)
    await pass(1000)
    clock.wait = () => new Promise(() => {})
    let admitted = 0
    for (let request = 0; request < 100; request += 1) {
      void capacity.take(stays).then(() => {
        admitted += 1
      })
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(admitted, 'a hundred commands, eight in each request').toBe(13)
  })

  it('saves a tenth of a second while it is idle, and no more', async () => {
    const { run, pass, passed } = limited(1000)
    await pass(60_000)
    await run(100)
    expect(passed()).toBe(60_000)
    await run(1)
    expect(passed()).toBe(60_001)
  })

  it('lets requests through in the order in which they came', async () => {
    const { capacity } = limited(1)
    const order: number[] = []
    await Promise.all(
      [1, 2, 3, 4].map(async (request) => {
        const settle = await capacity.take(stays)
        order.push(request)
        settle?.(1)
      }),
    )
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('runs a single request at any limit, however many commands it has', async () => {
    const { run, passed } = limited(1)
    await run(1, 5)
    expect(passed(), 'at once').toBe(0)
    await run(1)
    expect(passed(), 'after the five are paid for').toBe(5000)
  })

  it('drops a request whose client has left, which takes no capacity', async () => {
    const { capacity, run, passed } = limited(1)
    let isGone = false
    await run(1)
    const [second, left] = [capacity.take(() => isGone), capacity.take(() => true)]
    const last = capacity.take(stays)
    isGone = true
    expect(await second).toBeUndefined()
    expect(await left).toBeUndefined()
    expect(await last).toBeTypeOf('function')
    expect(passed()).toBe(1000)
  })

  it('changes for requests that wait as well', async () => {
    const { capacity, run, passed } = limited(1)
    await run(3)
    expect(passed()).toBe(2000)
    const waiting = capacity.take(stays)
    capacity.change(1000)
    ;(await waiting)?.(1)
    expect(passed()).toBeLessThanOrEqual(2200)
    const before = passed()
    await run(1000)
    expect(passed() - before).toBeLessThanOrEqual(1000)
  })
})

const stops = useStops()
let redis: RunningRedis
let link: RedisLink
beforeEach(async () => {
  redis = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
  link = openLink(redis)
  stops.push(redis.stop, link.close)
})

/** A capacity without a limit, which notes what each request is counted for. */
function noted(): { capacity: Capacity; counts: number[] } {
  const counts: number[] = []
  return {
    counts,
    capacity: { take: async () => (commands) => void counts.push(commands), change: () => {} },
  }
}
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
  const startLimited = async (commandsPerSecond: number) => {
    const options = { redisPort: redis.port, tokens: [{ token: 'secret' }], strict: true }
    const proxy = await startUpstashProxy(options)
    proxy.slowDown(proxy.port, commandsPerSecond)
    stops.push(proxy.stop)
    return proxy
  }

  it('answers every request, none of them with an error, and makes those above the limit wait', async () => {
    const proxy = await startLimited(200)
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
  })

  it('does not run what waits for a client that has closed its connection', async () => {
    const proxy = await startLimited(1)
    const incr = (key: string) => {
      const body = JSON.stringify(['INCR', key])
      return `POST / HTTP/1.1\r\nhost: local\r\nauthorization: Bearer secret\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    }
    const client = () => {
      const socket = connect(proxy.port, '127.0.0.1')
      stops.push(() => socket.destroy())
      return socket
    }
    const [first, leaving, last] = [client(), client(), client()]
    first.write(incr('first'))
    await once(first, 'data')
    await new Promise((sent) => leaving.write(incr('left'), sent))
    leaving.resetAndDestroy()
    last.write(incr('last'))
    await once(last, 'data')
    expect((await link.send([['MGET', 'first', 'left', 'last']])).flat().map(String)).toEqual(['1', 'null', '1'])
  })
})
