import { beforeEach, describe, expect, it } from 'vitest'
import { openTestRedis } from './upstash-support.ts'

describe('the Upstash proxy under the real SDK', async () => {
  const parts = await openTestRedis()
  beforeEach(() => parts.client().flushall())

  const awkward = [
    '123',
    '00123',
    '1e99',
    '-0',
    'NaN',
    'true',
    'null',
    '',
    ' ',
    'OK',
    'QUJD',
    'aGVsbG8=',
    'a+b/c==',
    '"quoted"',
    '{"a":1}',
    '[1,2]',
    'line\r\nbreak\0nul',
    '秒杀 · 已抢完',
    'ünïcödé 🧨',
    'x'.repeat(200_000),
  ]

  it.each(awkward.map((text) => [text.slice(0, 20), text]))('returns %j as it was stored', async (_, text) => {
    const redis = parts.client('secret', { automaticDeserialization: false })
    expect(await redis.set('k', text)).toBe('OK')
    expect(await redis.get('k')).toBe(text)
    expect(await redis.hset('h', { [text]: text })).toBe(1)
    expect(await redis.hget('h', text)).toBe(text)
    expect(await redis.mget('k', 'none', 'k')).toEqual([text, null, text])
    expect(await redis.eval('return {ARGV[1], {ARGV[1]}}', [], [text])).toEqual([text, [text]])
  })

  it('returns the same texts in a pipeline', async () => {
    const redis = parts.client('secret', { automaticDeserialization: false })
    const batch = redis.pipeline()
    for (const [index, text] of awkward.entries()) batch.set(`k${index}`, text)
    for (const index of awkward.keys()) batch.get(`k${index}`)
    expect(await batch.exec()).toEqual([...awkward.map(() => 'OK'), ...awkward])
  })

  it('distinguishes nil, numbers, status and nested arrays', async () => {
    const redis = parts.client()
    expect(await redis.get('none')).toBeNull()
    expect(await redis.incrby('n', 41)).toBe(41)
    expect(await redis.ping()).toBe('PONG')
    expect(await redis.lpop('none')).toBeNull()
    expect(
      await redis.eval(
        "return {1, 'two', {3, {'four', false}}, redis.status_reply('OK'), redis.status_reply('DONE')}",
        [],
        [],
      ),
    ).toEqual([1, 'two', [3, ['four', null]], 'OK', 'DONE'])
    expect(await redis.eval('return {}', [], [])).toEqual([])
    expect(await redis.hgetall('none')).toBeNull()
    await redis.zadd('z', { score: 1.5, member: 'a' }, { score: 2, member: 'b' })
    expect(await redis.zrange('z', 0, -1, { withScores: true })).toEqual(['a', 1.5, 'b', 2])
    await redis.hset('h', { a: '1', b: 'two' })
    expect(await redis.hscan('h', 0)).toEqual(['0', ['a', 1, 'b', 'two']])
  })

  it('answers a large collection whole', async () => {
    const redis = parts.client()
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field-${i}`, `value-${i}`]))
    await redis.hset('big', fields)
    expect(await redis.hgetall('big')).toEqual(fields)
  })

  it('turns an error reply into an error with its text', async () => {
    const redis = parts.client()
    await redis.set('text', 'x')
    await expect(redis.incr('text')).rejects.toThrow('ERR value is not an integer')
    await expect(redis.lpush('text', 1)).rejects.toThrow('WRONGTYPE')
    await expect(redis.eval("return redis.error_reply('OOPS 库存不足')", [], [])).rejects.toThrow('OOPS 库存不足')
  })

  it('answers each command of a pipeline separately when one fails', async () => {
    const replies = await parts.client().pipeline().set('text', 'x').incr('text').get('text').exec({ keepErrors: true })
    expect(replies.map(({ result }) => result)).toEqual(['OK', undefined, 'x'])
    expect(replies[1]?.error).toContain('not an integer')
  })

  it('answers in base64 on request only, and always sends a sync token', async () => {
    await parts.client().set('k', 'text')
    const plain = await parts.post('/', ['GET', 'k'])
    expect(plain.body).toEqual({ result: 'text' })
    const encoded = await parts.post('/pipeline', [['GET', 'k'], ['SET', 'k', '1'], ['PING'], ['NONSENSE']], {
      authorization: 'Bearer secret',
      'upstash-encoding': 'base64',
    })
    expect(encoded.body).toEqual([
      { result: 'dGV4dA==' },
      { result: 'OK' },
      { result: 'UE9ORw==' },
      { error: expect.stringContaining("ERR unknown command 'NONSENSE'") },
    ])
    for (const { headers } of [plain, encoded]) expect(headers.get('upstash-sync-token')).toBeTruthy()
  })

  it('works with the default settings of the SDK', async () => {
    const { Redis } = await import('@upstash/redis')
    const redis = new Redis({ url: parts.proxy.url, token: 'secret' })
    expect(await Promise.all([redis.set('a', { deep: [1] }), redis.incr('n'), redis.get('a')])).toEqual([
      'OK',
      1,
      { deep: [1] },
    ])
  })

  it.each([
    ['not JSON', '/', '{', 400],
    ['no array', '/', { a: 1 }, 400],
    ['an empty command', '/', [], 400],
    ['a nested word', '/', ['GET', ['k']], 400],
    ['an object word', '/', ['GET', {}], 400],
    ['a pipeline of words', '/pipeline', ['GET', 'k'], 400],
    ['a transaction', '/multi-exec', [['PING']], 404],
    ['an unknown path', '/pipelines', [['PING']], 404],
    ['more than 10 MB', '/', ['SET', 'k', 'x'.repeat(10 * 1024 * 1024)], 413],
  ])('refuses %s with a JSON error', async (_, path, body, status) => {
    const refused = await parts.post(path, body)
    expect(refused.status).toBe(status)
    expect(refused.body).toEqual({ error: expect.any(String) })
  })

  it('refuses other methods than POST', async () => {
    const response = await fetch(parts.proxy.url, { headers: { authorization: 'Bearer secret' } })
    expect(response.status).toBe(405)
  })

  it.each(['SUBSCRIBE', 'MONITOR', 'MULTI', 'SELECT', 'BLPOP', 'AUTH', 'quit', 'Hello'])(
    'refuses %s, which would change or block the shared connection',
    async (command) => {
      const { status, body } = await parts.post('/', [command, '1', '0'])
      expect(status).toBe(400)
      expect(body).toEqual({ error: expect.stringContaining('ERR Command is not available') })
      expect(await parts.client().ping()).toBe('PONG')
    },
  )
})
