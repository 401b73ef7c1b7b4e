import { once } from 'node:events'
import { createServer } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, vi } from 'vitest'
import { type Listening, listen } from '../../local/listen.ts'
import { reserve } from '../../redis/buy/reserve.ts'
import { connectRedis } from '../../redis/client.ts'
import { type Command, type Commander, command } from '../../redis/command.ts'
import { RedisReplyError, RedisUnavailable, UnexpectedReply } from '../../redis/errors.ts'
import { idleMs } from '../../redis/post.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { connectRest, restOver } from '../../redis/upstash-rest.ts'
import { aPurchase, aSale, type RedisRig, useRestRig } from './support.ts'

const rig = useRestRig()
const secret = 'a-token-to-keep-secret'

type Seen = {
  requests: { url: string; body: string; headers: NodeJS.Dict<string | string[]>; port: number | undefined }[]
}
type Behaviour =
  | 'lost-reply'
  | 'half-a-reply'
  | 'never'
  | { status: number; body: string; headers?: Record<string, string> }

type Connect = (address: { url: string; token: string; timeoutMs: number }) => Commander

const connectGate: Connect = ({ url, token, timeoutMs }) =>
  connectRest({ url, firstTimeoutMs: timeoutMs, timeoutMs })(token)

/** Both ways to the same service: the functions take the first, the gate the second. */
const clients: [name: string, connect: Connect][] = [
  ['the SDK’s client', connectRedis],
  ['the gate’s client', connectGate],
]

/** A server that reads every request completely, remembers it, and then behaves as the test sets it. */
async function startServer(behaviour: Behaviour, connect: Connect): Promise<Listening & Seen & { redis: Commander }> {
  const requests: Seen['requests'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk
    })
    request.on('end', () => {
      const { url = '', headers, socket } = request
      requests.push({ url, body, headers, port: socket.remotePort })
      if (behaviour === 'lost-reply') request.socket.destroy()
      else if (behaviour === 'half-a-reply') {
        response.writeHead(200, { 'content-length': '100' }).write('{"result":')
        request.socket.end()
      } else if (behaviour !== 'never') {
        response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body)
      }
    })
  })
  const listening = await listen(server, 0)
  return {
    ...listening,
    requests,
    // On a busy machine an answer may take seconds; only a test of the deadline waits for it.
    redis: connect({ url: listening.url, token: secret, timeoutMs: behaviour === 'never' ? 500 : 20_000 }),
  }
}

async function failureOf(behaviour: Behaviour, connect: Connect): Promise<{ error: unknown; requests: number }> {
  const server = await startServer(behaviour, connect)
  try {
    const error = await reserve(server.redis, aPurchase(aSale(), 1)).catch((thrown: unknown) => thrown)
    return { error, requests: server.requests.length }
  } finally {
    await server.stop()
  }
}

/** Everything a logger could find in an error: message, stack, causes and own fields. */
function allTextOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = Object.getOwnPropertyNames(error).map((name) => String(Reflect.get(error, name)))
  return [...own, allTextOf(error.cause)].join('\n')
}

const refusal = (text: string) => ({ status: 400, body: JSON.stringify({ error: text }) })

describe.each(clients)('a call by %s that goes wrong', (_name, connect) => {
  it('is rejected at its deadline, and was sent once (S20)', async () => {
    const { error, requests } = await failureOf('never', connect)
    expect(error).toBeInstanceOf(RedisUnavailable)
    expect(allTextOf(error)).toContain('TimeoutError')
    expect(requests).toBe(1)
  })

  it.each<[string, Behaviour]>([
    ['a lost reply (I5)', 'lost-reply'],
    ['half a reply', 'half-a-reply'],
    ['a gateway’s page', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a gateway’s JSON', { status: 503, body: '{"error":"upstream unavailable"}' }],
    ['a body that is no JSON', { status: 200, body: 'hello' }],
    ['a body without a result', { status: 200, body: '{}' }],
    ['a page in place of Redis', { status: 404, body: '{"result":"OK"}' }],
    ['a Redis that is loading', refusal('LOADING Redis is loading the dataset in memory')],
    ['a replica', refusal("READONLY You can't write against a read only replica.")],
    ['a server at its limit', refusal('ERR max daily request limit exceeded. Limit: 1000, Usage: 1001')],
    ['a proxy without a Redis', { status: 503, body: '{"error":"ERR Redis cannot be reached: gone"}' }],
  ])('was sent once, is unavailable, and may be retried, after %s', async (_, behaviour) => {
    const { error, requests } = await failureOf(behaviour, connect)
    expect(error).toBeInstanceOf(RedisUnavailable)
    expect(requests).toBe(1)
  })

  it.each([
    ['a wrong token', refusal('WRONGPASS invalid or missing auth token')],
    ['a token that may not', refusal('NOPERM this user has no permissions to access one of the keys')],
    ['a wrong type', refusal('WRONGTYPE Operation against a key holding the wrong kind of value')],
    ['a script that breaks', refusal('ERR user_script:3: attempt to index a nil value script: 0a1b')],
    ['an unknown command', refusal("ERR unknown command 'FOO'")],
  ])('is a fault of ours with %s', async (_, behaviour) => {
    expect((await failureOf(behaviour, connect)).error).toBeInstanceOf(UnexpectedReply)
  })

  it('reveals neither the command nor the token', async () => {
    const behaviours: Behaviour[] = [
      'lost-reply',
      'half-a-reply',
      'never',
      refusal('WRONGTYPE of a key'),
      refusal('ERR user_script:3: broken'),
      refusal(`ERR unknown command, command was: ["EVALSHA","shopper-1"]`),
      { status: 200, body: `{"result": shopper-1 and ${secret}` },
      { status: 502, body: `<p>you sent shopper-1 and ${secret}</p>` },
    ]
    for (const behaviour of behaviours) {
      const found = allTextOf((await failureOf(behaviour, connect)).error)
      for (const word of [secret, 'shopper-1', 'request-1', 'token-of-epoch', 'EVALSHA', 'stock:{']) {
        expect(found).not.toContain(word)
      }
    }
  })
})

describe.each(clients)('%s', (_name, connect) => {
  describe('with a connection that it has used', () => {
    const body = connect === connectGate ? '[{"result":1}]' : '{"result":1}'

    /** Two requests `afterMs` apart; the service closes the connection of the second one as it arrives. */
    async function askTwice(afterMs: number, closes: boolean) {
      let isClosing = false
      const ports: (number | undefined)[] = []
      const server = createServer((request, response) => {
        ports.push(request.socket.remotePort)
        if (isClosing) request.socket.resetAndDestroy()
        else request.resume().on('end', () => response.end(body))
        isClosing = false
      })
      const listening = await listen(server, 0)
      vi.useFakeTimers({ toFake: ['Date'] })
      try {
        const redis = connect({ url: listening.url, token: secret, timeoutMs: 20_000 })
        await redis.exec(['DEL', 'a'])
        vi.advanceTimersByTime(afterMs)
        isClosing = closes
        const again = await redis.exec(['DEL', 'a']).catch((error: unknown) => error)
        return { again, ports }
      } finally {
        vi.useRealTimers()
        await listening.stop()
      }
    }

    it('keeps it over a pause (S20)', async () => {
      const { ports } = await askTwice(3_600_000, false)
      expect(ports[1]).toBe(ports[0])
    })

    it('sends a request again that finds it closed after a pause', async () => {
      const { again, ports } = await askTwice(idleMs, true)
      expect(again).toBe(1)
      expect(ports).toHaveLength(3)
      expect(ports[2]).not.toBe(ports[0])
    })

    it('takes none of the other connections after a pause when one of them was closed', async () => {
      const both = Promise.withResolvers<void>()
      const old = new Set<number | undefined>()
      let isLater = false
      const ports: (number | undefined)[] = []
      const server = createServer((request, response) => {
        const { remotePort } = request.socket
        if (isLater) ports.push(remotePort)
        else if (old.add(remotePort).size === 2) both.resolve()
        if (isLater && old.has(remotePort)) return void request.socket.resetAndDestroy()
        request.resume().on('end', () => void both.promise.then(() => response.end(body)))
      })
      const listening = await listen(server, 0)
      vi.useFakeTimers({ toFake: ['Date'] })
      try {
        const redis = connect({ url: listening.url, token: secret, timeoutMs: 20_000 })
        const first = redis.exec(['DEL', 'a'])
        // The gate's client sends the commands of one turn together.
        await nextTurn()
        await Promise.all([first, redis.exec(['DEL', 'b'])])
        await nextTurn()
        vi.advanceTimersByTime(idleMs)
        isLater = true
        expect(await redis.exec(['DEL', 'a'])).toBe(1)
        expect(ports.map((port) => old.has(port))).toEqual([true, false])
      } finally {
        vi.useRealTimers()
        await listening.stop()
      }
    })

    it('does not send a request again whose reply was lost without a pause (I5)', async () => {
      const { again, ports } = await askTwice(idleMs - 1, true)
      expect(again).toBeInstanceOf(Error)
      expect(ports).toHaveLength(2)
    })
  })

  it('does not reveal its runtime', async () => {
    const body = connect === connectGate ? '[{"result":null}]' : '{"result":null}'
    const server = await startServer({ status: 200, body }, connect)
    await command(server.redis, ['GET', 'x'])
    await server.stop()
    const headers = server.requests[0]?.headers ?? {}
    expect(headers).toMatchObject({
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^Sluice\/[\d.]+$/),
    })
    const names = Object.keys(headers)
    expect(names.filter((name) => name.includes('telemetry') || name.includes('sync-token'))).toEqual([])
  })

  it.each(['123', '1e3', '007', 'true', 'null', '{"a":1}', 'QUJD', '', '中文', ' '])(
    'returns %j unchanged as text',
    async (value) => {
      const redis = connect(addressOf(rig))
      await command(redis, ['SET', 'text', value])
      expect(await command(redis, ['GET', 'text'])).toBe(value)
      expect(await command(redis, ['HMGET', 'no-hash', value])).toEqual([null])
    },
  )

  it('finds its own reservation in a retry after a lost reply (I5)', async () => {
    let losing = false
    const front = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const encoding = request.headers['upstash-encoding']
      const authorization = `Bearer ${rig.token}`
      const headers = { authorization, ...(encoding ? { 'upstash-encoding': String(encoding) } : {}) }
      const reply = await fetch(`${rig.url}${request.url === '/' ? '' : request.url}`, {
        method: 'POST',
        headers,
        body: Buffer.concat(chunks),
      })
      const text = await reply.text()
      if (losing) request.socket.destroy()
      else response.writeHead(reply.status).end(text)
    })
    const listening = await listen(front, 0)
    try {
      const redis = connect({ ...addressOf(rig), url: listening.url })
      const sale = aSale()
      await warmStock(redis, sale)
      await reserve(redis, aPurchase(sale, 2))
      losing = true
      await expect(reserve(redis, aPurchase(sale, 1))).rejects.toThrow(RedisUnavailable)
      losing = false
      expect(await reserve(redis, aPurchase(sale, 1))).toMatchObject({ kind: 'repeat', remaining: 8 })
    } finally {
      await listening.stop()
    }
  })
})

/**
 * A server in a thread of its own. It reports each request with a message, and answers it when
 * `turn[0]` is set; `turn[1]` is set when the answer has left.
 */
const answersWhenAsked = `
  const { createServer } = require('node:http')
  const { parentPort, workerData: { turn, body } } = require('node:worker_threads')
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      parentPort.postMessage('received')
      Atomics.wait(turn, 0, 0)
      response.end(body)
      response.on('finish', () => {
        Atomics.store(turn, 1, 1)
        Atomics.notify(turn, 1)
      })
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

describe.each(clients)('%s in a busy process', (_name, connect) => {
  it('takes an answer that came before its deadline and was read after it (I6)', async () => {
    const body = connect === connectGate ? '[{"result":"kept"}]' : '{"result":"kept"}'
    const turn = new Int32Array(new SharedArrayBuffer(12))
    const worker = new Worker(answersWhenAsked, { eval: true, workerData: { turn, body } })
    try {
      const [port] = await once(worker, 'message')
      const timeoutMs = 300
      const redis = connect({ url: `http://127.0.0.1:${port}`, token: secret, timeoutMs })
      const received = once(worker, 'message')
      const asked = command(redis, ['GET', 'x'])
      await received
      // From here on this process is blocked, until the answer has come and the deadline has passed.
      Atomics.store(turn, 0, 1)
      Atomics.notify(turn, 0)
      Atomics.wait(turn, 1, 0)
      Atomics.wait(turn, 2, 0, timeoutMs)
      await expect(asked).resolves.toBe('kept')
    } finally {
      await worker.terminate()
    }
  })
})

const addressOf = ({ url, token }: Pick<RedisRig, 'url' | 'token'>) => ({ url, token, timeoutMs: 5_000 })

describe('both clients', () => {
  it.each<Command>([
    ['PING'],
    ['SET', 'key', 'ünïcödé 🧨\r\n\0'],
    ['GET', 'key'],
    ['GET', 'none'],
    ['EVAL', "return {1, 'two', {3, {'four', false}}, redis.status_reply('OK')}", '0'],
    ['EVAL', 'return {}', '0'],
    ['EVALSHA', '0'.repeat(40), '0'],
    ['EVAL', "return redis.error_reply('OOPS 库存不足, command was: nothing')", '0'],
    ['INCR', 'key'],
    ['NONSENSE', 'shopper-1'],
    ['SUBSCRIBE', 'x'],
    ['HSET'],
  ])('return the same reply for %s %s', async (...args) => {
    const [theirs, ours] = clients.map(([, connect]) => connect(addressOf(rig)).exec(args))
    const [expected, found] = await Promise.allSettled([theirs, ours])
    expect(found).toEqual(expected)
    if (found?.status === 'rejected') {
      expect(found.reason).toBeInstanceOf(RedisReplyError)
      expect(found.reason.message).not.toContain('command was')
    }
  })

  it('are rejected alike with a wrong token', async () => {
    for (const [, connect] of clients) {
      const asked = command(connect({ ...addressOf(rig), token: 'wrong' }), ['PING'])
      await expect(asked).rejects.toThrow(new UnexpectedReply('Redis refused PING with WRONGPASS'))
    }
  })
})

it('the functions’ client sends each command in its own request, so that one lost reply affects one caller (S20)', async () => {
  const server = await startServer({ status: 200, body: '{"result":"T0s="}' }, connectRedis)
  await Promise.all([1, 2, 3].map((n) => command(server.redis, ['GET', String(n)])))
  await server.stop()
  expect(server.requests.map(({ url }) => url)).toEqual(['/', '/', '/'])
  expect(server.requests.map(({ body }) => body).sort()).toEqual([1, 2, 3].map((n) => `["GET","${n}"]`))
})

describe('the gate’s client', () => {
  it('sends the commands of one turn in one request, and gives each its own reply or error', async () => {
    const body = '[{"result":"one"},{"error":"WRONGTYPE of a key"},{"result":null}]'
    const server = await startServer({ status: 200, body }, connectGate)
    const asked = ['1', '2', '3'].map((key) => command(server.redis, ['GET', key]))
    const replies = await Promise.allSettled(asked)
    await server.stop()
    const commands = ['1', '2', '3'].map((key) => ['GET', key])
    expect(server.requests.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([['/pipeline', commands]])
    expect(replies).toMatchObject([
      { value: 'one' },
      { reason: new UnexpectedReply('Redis refused GET with WRONGTYPE') },
      { value: null },
    ])
  })

  it('rejects every command when the number of replies differs', async () => {
    const server = await startServer({ status: 200, body: '[{"result":"one"}]' }, connectGate)
    const asked = ['1', '2'].map((key) => command(server.redis, ['GET', key]))
    const replies = await Promise.allSettled(asked)
    await server.stop()
    for (const reply of replies) expect(reply).toMatchObject({ reason: expect.any(RedisUnavailable) })
  })

  it('waits longer when it may have to open a connection, and less when one was just in use', async () => {
    const time = { now: 0 }
    const deadlines: number[] = []
    const redis = restOver(
      async (_path, _body, timeoutMs) => {
        deadlines.push(timeoutMs)
        if (time.now === 9000) throw new Error('socket hang up')
        return [{ result: null }]
      },
      { firstTimeoutMs: 2500, timeoutMs: 800 },
      () => time.now,
    )
    const askAt = async (now: number) => {
      time.now = now
      await command(redis, ['GET', 'x']).catch(() => undefined)
    }
    for (const now of [0, 900, 4899, 9000, 9250]) await askAt(now)
    expect(deadlines).toEqual([2500, 800, 800, 2500, 2500])
  })

  it('does not follow a redirect', async () => {
    const elsewhere = { status: 307, body: '', headers: { location: '/elsewhere' } }
    const { error, requests } = await failureOf(elsewhere, connectGate)
    expect(error).toBeInstanceOf(RedisUnavailable)
    expect(requests).toBe(1)
  })
})
