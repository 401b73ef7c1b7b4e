import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestRedis, type TestRedis } from './upstash-support.ts'

describe('a token of the Upstash proxy', () => {
  let parts: TestRedis
  beforeAll(async () => {
    parts = await startTestRedis({
      strict: false,
      tokens: [
        { token: 'secret' },
        { token: 'edge', allow: ['gate:'] },
        { token: 'reader', allow: ['gate:'], readOnly: true },
      ],
    })
    const all = parts.client()
    await all.set('stock:{a:0}', 'hidden')
    await all.set('gate:{a}', 'open')
  })
  afterAll(() => parts.stop())

  const paths: [string, unknown][] = [
    ['/', ['GET', 'gate:{a}']],
    ['/pipeline', [['GET', 'gate:{a}']]],
    ['/multi-exec', [['GET', 'gate:{a}']]],
    ['/elsewhere', ['GET', 'gate:{a}']],
  ]

  it.each(paths)('is needed on %s', async (path, body) => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      'Bearer wrong',
      'Bearer secretx',
      'Bearer secre',
      'secret',
      'Basic secret',
      'bearer secret',
    ]) {
      const refused = await parts.post(path, body, { authorization })
      expect([authorization, refused.status]).toEqual([authorization, 401])
      expect(refused.body).toEqual({ error: 'WRONGPASS invalid or missing auth token' })
    }
  })

  it('is checked before anything else a request may have wrong', async () => {
    expect((await parts.post('/', '{', { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await fetch(parts.proxy.url)).status).toBe(401)
  })

  it('makes the SDK fail on every path when it is wrong', async () => {
    const redis = parts.client('wrong')
    await expect(redis.get('gate:{a}')).rejects.toThrow('WRONGPASS')
    await expect(redis.pipeline().get('gate:{a}').exec()).rejects.toThrow('WRONGPASS')
    await expect(redis.multi().get('gate:{a}').exec()).rejects.toThrow('WRONGPASS')
  })

  it('reaches its own keys when it is limited to a prefix', async () => {
    const edge = parts.client('edge')
    expect(await edge.get('gate:{a}')).toBe('open')
    expect(await edge.hset('gate:{b}', { flag: 'on' })).toBe(1)
    expect(await edge.mget('gate:{a}', 'gate:{b2}')).toEqual(['open', null])
    expect(await edge.ping()).toBe('PONG')
    const script = edge.createScript("return redis.call('GET', KEYS[1])")
    expect(await script.exec(['gate:{a}'], [])).toBe('open')
    expect(await script.exec(['gate:{a}'], [])).toBe('open')
  })

  it.each<[string, string[]]>([
    ['reading', ['GET', 'stock:{a:0}']],
    ['writing', ['set', 'stock:{a:0}', '9']],
    ['deleting', ['DEL', 'gate:{a}', 'stock:{a:0}']],
    ['a second key', ['MGET', 'gate:{a}', 'stock:{a:0}']],
    ['every other word', ['MSET', 'gate:{x}', '1', 'stock:{a:0}', '1']],
    ['copying out', ['COPY', 'stock:{a:0}', 'gate:{x}']],
    ['renaming', ['RENAME', 'gate:{a}', 'stock:{a:0}']],
    ['a destination', ['SUNIONSTORE', 'stock:{a:0}', 'gate:{a}']],
    ['a counted key', ['ZUNIONSTORE', 'gate:{x}', '2', 'gate:{a}', 'stock:{a:0}']],
    ['a third position', ['BITOP', 'AND', 'gate:{x}', 'stock:{a:0}']],
    ['after a subcommand', ['OBJECT', 'ENCODING', 'stock:{a:0}']],
    ['a script key', ['EVAL', 'return 1', '1', 'stock:{a:0}']],
    ['a script key by SHA', ['EVALSHA', 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db', '1', 'stock:{a:0}']],
    ['a false count', ['EVAL', 'return 1', '-1', 'gate:{a}']],
    ['listing', ['KEYS', '*']],
    ['scanning', ['SCAN', '0']],
    ['emptying', ['FLUSHALL']],
    ['settings', ['CONFIG', 'GET', '*']],
    ['users', ['ACL', 'LIST']],
    ['a command nobody knows', ['NEWCMD', 'gate:{a}']],
    ['the prefix alone is not enough', ['GET', 'xgate:{a}']],
  ])('does not reach beyond its prefix by %s', async (_, command) => {
    const headers = { authorization: 'Bearer edge' }
    const single = await parts.post('/', command, headers)
    expect(single.status).toBe(400)
    expect(single.body).toEqual({ error: expect.stringMatching(/^NOPERM /) })
    expect((await parts.post('/pipeline', [command, ['PING']], headers)).body).toEqual([
      { error: expect.stringMatching(/^NOPERM /) },
      { result: 'PONG' },
    ])
    expect((await parts.post('/multi-exec', [['PING'], command], headers)).body).toEqual({
      error: expect.stringMatching(/^NOPERM /),
    })
    expect(await parts.client().get('stock:{a:0}')).toBe('hidden')
  })

  it('reads its own keys when it may only read', async () => {
    const reader = parts.client('reader')
    await parts.client().hset('gate:{r}', { flag: 'on' })
    expect(await reader.get('gate:{a}')).toBe('open')
    expect(await reader.hmget('gate:{r}', 'flag')).toEqual({ flag: 'on' })
    expect(await reader.ping()).toBe('PONG')
    await expect(reader.get('stock:{a:0}')).rejects.toThrow('NOPERM')
  })

  it.each<[string, string[]]>([
    ['writing a field', ['HSET', 'gate:{a}', 'flag', 'on']],
    ['writing', ['set', 'gate:{a}', 'shut']],
    ['deleting', ['DEL', 'gate:{a}']],
    ['a time to live', ['EXPIRE', 'gate:{a}', '1']],
    ['taking', ['GETDEL', 'gate:{a}']],
    ['a script', ['EVAL', "return redis.call('SET', KEYS[1], 'shut')", '1', 'gate:{a}']],
    ['a script by SHA', ['EVALSHA', 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db', '1', 'gate:{a}']],
    ['teaching a script', ['SCRIPT', 'LOAD', 'return 1']],
    ['a message', ['PUBLISH', 'gate:{a}', 'shut']],
    ['emptying', ['FLUSHALL']],
  ])('that may only read changes nothing by %s', async (_, command) => {
    const headers = { authorization: 'Bearer reader' }
    const refused = { error: expect.stringMatching(/^NOPERM /) }
    expect(await parts.post('/', command, headers)).toMatchObject({ status: 400, body: refused })
    expect((await parts.post('/pipeline', [command], headers)).body).toEqual([refused])
    expect((await parts.post('/multi-exec', [command], headers)).body).toEqual(refused)
    expect(await parts.client().get('gate:{a}')).toBe('open')
  })

  it('does not reach beyond its prefix from inside a script, its own or one somebody else loaded', async () => {
    const source = "return redis.call('GET', 'stock:{a:0}')"
    await expect(parts.client('edge').eval(source, ['gate:{a}'], [])).rejects.toThrow(
      'not in KEYS: stock:{a:0}',
    )
    const sha = await parts.client().scriptLoad(`${source} -- loaded`)
    expect(await parts.client().evalsha(sha, [], [])).toBe('hidden')
    await expect(parts.client('edge').evalsha(sha, ['gate:{a}'], [])).rejects.toThrow('NOSCRIPT')
  })
})
