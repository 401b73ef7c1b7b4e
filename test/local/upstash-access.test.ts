import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardOf } from '../../local/upstash/access.ts'
import { gateRights, readerRights, writerRights } from '../../system/redis-rights.ts'
import { startTestRedis, type TestRedis } from './upstash-support.ts'

describe('a token of the Upstash proxy', () => {
  let parts: TestRedis
  beforeAll(async () => {
    parts = await startTestRedis({
      strict: false,
      tokens: [
        { token: 'secret' },
        { token: 'limited', rules: ['~gate:*', '+@all'] },
        { token: 'reader', rules: ['~gate:*', '-@all', '+get', '+hmget', '+ping'] },
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

  it.each(paths)('is required on %s', async (path, body) => {
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

  it('is checked before any other fault of a request', async () => {
    expect((await parts.post('/', '{', { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await fetch(parts.proxy.url)).status).toBe(401)
  })

  it('makes the SDK fail on every path when it is wrong', async () => {
    const redis = parts.client('wrong')
    await expect(redis.get('gate:{a}')).rejects.toThrow('WRONGPASS')
    await expect(redis.pipeline().get('gate:{a}').exec()).rejects.toThrow('WRONGPASS')
    await expect(redis.multi().get('gate:{a}').exec()).rejects.toThrow('WRONGPASS')
  })

  it('reaches its own keys when it is limited to a pattern', async () => {
    const limited = parts.client('limited')
    expect(await limited.get('gate:{a}')).toBe('open')
    expect(await limited.hset('gate:{b}', { flag: 'on' })).toBe(1)
    expect(await limited.mget('gate:{a}', 'gate:{b2}')).toEqual(['open', null])
    expect(await limited.ping()).toBe('PONG')
    const script = limited.createScript("return redis.call('GET', KEYS[1])")
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
    ['an unknown command', ['NEWCMD', 'gate:{a}']],
    ['a message', ['PUBLISH', 'gate:{a}', 'shut']],
    ['loading a script', ['SCRIPT', 'LOAD', 'return 1']],
    ['a key that only ends like its own', ['GET', 'xgate:{a}']],
  ])('does not reach beyond its pattern by %s', async (_, command) => {
    const headers = { authorization: 'Bearer limited' }
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
    ['loading a script', ['SCRIPT', 'LOAD', 'return 1']],
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

  it('does not reach beyond its pattern from inside a script, loaded by itself or by another client', async () => {
    const source = "return redis.call('GET', 'stock:{a:0}')"
    await expect(parts.client('limited').eval(source, ['gate:{a}'], [])).rejects.toThrow(
      'not in KEYS: stock:{a:0}',
    )
    const sha = await parts.client().scriptLoad(`${source} -- loaded`)
    expect(await parts.client().evalsha(sha, [], [])).toBe('hidden')
    await expect(parts.client('limited').evalsha(sha, ['gate:{a}'], [])).rejects.toThrow('NOSCRIPT')
  })
})

describe("the edge's tokens", () => {
  let parts: TestRedis
  beforeAll(async () => {
    parts = await startTestRedis({
      tokens: [
        { token: 'secret' },
        { token: 'functions', rules: gateRights },
        { token: 'reader', rules: readerRights },
        { token: 'writer', rules: writerRights },
      ],
    })
  })
  afterAll(() => parts.stop())

  const everything: [key: string, command: (key: string) => string[]][] = [
    ['gate:{a}', (key) => ['HSET', key, 'flag', 'on']],
    ['gate:{-}:blocklist', (key) => ['HSET', key, 'shopper ann', '1']],
    ['gate:{-}:versions', (key) => ['HINCRBY', key, 'blocklist', '1']],
    ['gate:{-}:sales', (key) => ['SADD', key, 'mine']],
    ['gate:{-}:filter', (key) => ['SET', key, 'AAAA']],
    ['lock:{a}', (key) => ['SET', key, 'me', 'NX', 'PX', '1000']],
    ['stock:{a:0}', (key) => ['HINCRBY', key, 'booked', '-1']],
    ['stock:{a:0}:admissions', (key) => ['HSET', key, 'total', '9']],
    ['stock:{gate:}:solved:x', (key) => ['SET', key, '1']],
  ]

  const tokens = ['reader', 'writer']
  const asEach = everything.flatMap(([key, command]) =>
    tokens.map((token): [string, string, (key: string) => string[]] => [token, key, command]),
  )

  it.each(asEach)(
    'of the %s changes nothing at %s, by no command and no script',
    async (token, key, command) => {
      const headers = { authorization: `Bearer ${token}` }
      const commands = [
        command(key),
        ['DEL', key],
        ['EXPIRE', key, '1'],
        ['RENAME', key, 'gate:{a}:admissions'],
        ['COPY', 'gate:{a}:admissions', key],
        ['EVAL', `return redis.call('${command(key)[0]}', KEYS[1], 'x', 'y')`, '1', key],
        ['EVALSHA', 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db', '2', 'gate:{a}:admissions', key],
      ]
      for (const one of commands) {
        const refused = await parts.post('/', one, headers)
        expect([one[0], refused.body]).toEqual([one[0], { error: expect.stringMatching(/^NOPERM /) }])
      }
      const undeclared = ['EVAL', `return redis.call('DEL', '${key}')`, '1', 'gate:{a}:admissions']
      expect((await parts.post('/', undeclared, headers)).body).toEqual({
        error: expect.stringMatching(token === 'writer' ? /not in KEYS/ : /^NOPERM /),
      })
      expect((await parts.post('/', ['GET', key])).body).toEqual({ result: null })
    },
  )

  it('of the reader reads what the gate needs, and nothing of the stock or the locks', async () => {
    const all = parts.client()
    await all.hset('gate:{-}:blocklist', { 'shopper ann': '1' })
    await all.set('gate:{-}:filter', 'text')
    const edge = parts.client('reader')
    expect(await edge.hkeys('gate:{-}:blocklist')).toEqual(['shopper ann'])
    expect(await edge.get('gate:{-}:filter')).toBe('text')
    expect(await edge.hmget('gate:{-}:versions', 'blocklist', 'filter')).toBeNull()
    for (const key of ['stock:{a:0}', 'stock:{a:0}:holds', 'lock:{a}']) {
      await expect(edge.get(key)).rejects.toThrow('NOPERM')
      await expect(edge.hkeys(key)).rejects.toThrow('NOPERM')
    }
  })

  it('of the writer counts admissions by script, and marks a solved challenge once', async () => {
    const edge = parts.client('writer')
    const count = '#!lua flags=allow-key-locking\nreturn redis.call("HINCRBY", KEYS[1], "out", 1)'
    expect(await edge.eval(count, ['gate:{b}:admissions'], [])).toBe(1)
    const once = { nx: true, px: 60_000 } as const
    expect(await edge.set('gate:{b}:solved:c1', 'key-1', once)).toBe('OK')
    expect(await edge.set('gate:{b}:solved:c1', 'key-2', once)).toBeNull()
    expect(await edge.get('gate:{b}:solved:c1')).toBe('key-1')
  })

  it.each<[string, string[]]>([
    ['a whole hash', ['HGETALL', 'gate:{a}']],
    ['deleting what it may write', ['DEL', 'gate:{a}:admissions']],
    ['deleting a field of it', ['hdel', 'gate:{a}:admissions', 'b1']],
    ['expiring a solved challenge', ['PEXPIREAT', 'gate:{a}:solved:c1', '1']],
    ['loading a script', ['SCRIPT', 'LOAD', 'return 1']],
    ['a command about the service', ['PING']],
  ])('send no command that the gate does not need: %s', async (_, command) => {
    for (const token of tokens) {
      const refused = await parts.post('/', command, { authorization: `Bearer ${token}` })
      expect(refused.body).toEqual({
        error: `NOPERM this user has no permissions to run the '${command[0]?.toLowerCase()}' command`,
      })
    }
  })

  it("are not the functions' token, which writes all of the gate and its locks, and no stock", async () => {
    const functions = parts.client('functions')
    expect(await functions.hset('gate:{c}', { flag: 'on' })).toBe(1)
    expect(await functions.set('lock:{c}', 'me', { nx: true, px: 1000 })).toBe('OK')
    await expect(functions.hset('stock:{c:0}', { total: 1 })).rejects.toThrow('NOPERM')
  })
})

describe('a rule of a user', () => {
  const allows = (pattern: string, command: string[]) => guardOf([pattern, '+@all'])(command) === undefined

  it('reads * as any text, also an empty one, and every other character as itself', () => {
    expect(allows('~gate:*', ['GET', 'gate:'])).toBe(true)
    expect(allows('~gate:*', ['GET', 'gate:{a}\nb'])).toBe(true)
    expect(allows('~gate:{*}', ['GET', 'gate:{a}'])).toBe(true)
    expect(allows('~gate:{*}', ['GET', 'gate:{a}b'])).toBe(false)
    expect(allows('~a.c', ['GET', 'abc'])).toBe(false)
  })

  it('applies in order: a user begins without any command, and -@all removes all', () => {
    const allowed = (...rules: string[]) => guardOf(['~*', ...rules])(['GET', 'a']) === undefined
    expect(allowed()).toBe(false)
    expect(allowed('+get')).toBe(true)
    expect(allowed('+get', '-@all')).toBe(false)
    expect(allowed('+@all')).toBe(true)
    expect(allowed('+@all', '-@all', '+set')).toBe(false)
  })

  it.each([
    ['a pattern for reading', '%R~gate:*'],
    ['a pattern for writing', '%W~gate:*'],
    ['a pattern in long form', '%RW~gate:*'],
    ['a selector', '(+get ~gate:*)'],
    ['a subcommand', '+client|list'],
    ['no password', 'nopass'],
    ['a password of its own', '>secret'],
    ['a hashed password', `#${'0'.repeat(64)}`],
  ])('is refused as Upstash does: %s', (_, rule) => {
    expect(() => guardOf(['~gate:*', rule, '+get'])).toThrow(TypeError)
  })

  it.each(['gate:*', '~', '~gate:?', '~gate:[ab]'])(
    'in another form is refused because it could be ambiguous: %s',
    (rule) => {
      expect(() => guardOf([rule])).toThrow(TypeError)
    },
  )
})
