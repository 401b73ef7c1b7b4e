import { describe, expect, it } from 'vitest'
import { createGuard } from '../../local/upstash/access.ts'
import { paymentQueueKey } from '../../redis/keys.ts'
import { gateRights } from '../../system/redis-rights.ts'
import { openTestRedis } from './upstash-support.ts'

// The rights of the edge's tokens: upstash-acl.test.ts.
describe('a token of the Upstash proxy', async () => {
  const parts = await openTestRedis({
    strict: false,
    tokens: [
      { token: 'secret' },
      { token: 'limited', rules: ['~gate:*', '+@all'] },
      { token: 'functions', rules: gateRights },
    ],
  })
  await parts.client().mset({ 'stock:{a:0}': 'hidden', 'gate:{a}': 'open' })

  const paths: [string, unknown][] = [
    ['/', ['GET', 'gate:{a}']],
    ['/pipeline', [['GET', 'gate:{a}']]],
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
    expect(await parts.client().get('stock:{a:0}')).toBe('hidden')
  })

  it('does not reach beyond its pattern from inside a script, loaded by itself or by another client', async () => {
    const source = "return redis.call('GET', 'stock:{a:0}')"
    await expect(parts.client('limited').eval(source, ['gate:{a}'], [])).rejects.toThrow('not in KEYS: stock:{a:0}')
    const sha = await parts.client().scriptLoad(`${source} -- loaded`)
    expect(await parts.client().evalsha(sha, [], [])).toBe('hidden')
    await expect(parts.client('limited').evalsha(sha, ['gate:{a}'], [])).rejects.toThrow('NOSCRIPT')
  })

  it('of the functions writes all of the gate, its locks and the turns of payment pages, and no stock', async () => {
    const functions = parts.client('functions')
    expect(await functions.hset(paymentQueueKey, { next: 1 })).toBe(1)
    expect(await functions.hset('gate:{c}', { flag: 'on' })).toBe(1)
    expect(await functions.set('lock:{c}', 'me', { nx: true, px: 1000 })).toBe('OK')
    await expect(functions.hset('stock:{c:0}', { total: 1 })).rejects.toThrow('NOPERM')
  })
})

describe('a rule of a user', () => {
  const allows = (pattern: string, command: string[]) => createGuard([pattern, '+@all'])(command) === undefined

  it('reads * as any text, also an empty one, and every other character as itself', () => {
    expect(allows('~gate:*', ['GET', 'gate:'])).toBe(true)
    expect(allows('~gate:*', ['GET', 'gate:{a}\nb'])).toBe(true)
    expect(allows('~gate:{*}', ['GET', 'gate:{a}'])).toBe(true)
    expect(allows('~gate:{*}', ['GET', 'gate:{a}b'])).toBe(false)
    expect(allows('~a.c', ['GET', 'abc'])).toBe(false)
  })

  it('applies in order: a user begins without any command, and -@all removes all', () => {
    const allowed = (...rules: string[]) => createGuard(['~*', ...rules])(['GET', 'a']) === undefined
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
    expect(() => createGuard(['~gate:*', rule, '+get'])).toThrow(TypeError)
  })

  it.each(['gate:*', '~', '~gate:?', '~gate:[ab]'])(
    'in another form is refused because it could be ambiguous: %s',
    (rule) => {
      expect(() => createGuard([rule])).toThrow(TypeError)
    },
  )
})
