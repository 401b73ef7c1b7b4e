import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { openTestRedis, startTestRedis, type TestRedis } from './upstash-support.ts'

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')
const flagged = (body: string) => `#!lua flags=allow-key-locking\n${body}`

async function evalCalls(parts: TestRedis): Promise<number> {
  const { body } = await parts.post('/', ['INFO', 'commandstats'])
  return Number(/cmdstat_eval:calls=(\d+)/.exec(JSON.stringify(body))?.[1] ?? 0)
}

describe.each([true, false])('scripts through the Upstash proxy, strict keys %s', async (strict) => {
  const parts = await openTestRedis({ strict })
  beforeEach(async () => {
    await parts.client().flushall()
    await parts.post('/', ['CONFIG', 'RESETSTAT'])
  })

  it('runs a script with allow-key-locking, by EVAL once and by EVALSHA from then on (S3)', async () => {
    const script = parts.client().createScript<number>(flagged("return redis.call('INCRBY', KEYS[1], ARGV[1])"))
    expect(await script.exec(['n'], ['2'])).toBe(2)
    expect(await script.exec(['n'], ['3'])).toBe(5)
    expect(await evalCalls(parts)).toBe(1)
  })

  it('answers NOSCRIPT for an unknown script, and the SDK sends it after the cache was emptied (S3)', async () => {
    const redis = parts.client()
    await expect(redis.evalsha('0'.repeat(40), [], [])).rejects.toThrow('NOSCRIPT No matching script')
    const script = redis.createScript<string>(flagged("return 'here'"))
    expect(await script.exec([], [])).toBe('here')
    await redis.scriptFlush()
    expect(await script.exec([], [])).toBe('here')
  })

  it('knows a loaded script by the SHA of the client’s text', async () => {
    const redis = parts.client()
    const source = flagged('return {KEYS[1], ARGV[1]}')
    expect(await redis.scriptExists(sha1(source))).toEqual([0])
    expect(await redis.scriptLoad(source)).toBe(sha1(source))
    expect(await redis.scriptExists(sha1(source), sha1('other'))).toEqual([1, 0])
    expect(await redis.evalsha(sha1(source), ['k'], ['a'])).toEqual(['k', 'a'])
    expect(await redis.evalsha(sha1(source).toUpperCase(), ['k'], ['a'])).toEqual(['k', 'a'])
    const plain = "return 'no flag'"
    expect(await redis.scriptLoad(plain)).toBe(sha1(plain))
    expect(await redis.evalsha(sha1(plain), [], [])).toBe('no flag')
  })

  it('keeps the other flags of a script', async () => {
    const writes = `#!lua flags=no-writes,allow-key-locking\nreturn redis.call('SET', KEYS[1], '1')`
    await expect(parts.client().eval(writes, ['k'], [])).rejects.toThrow('Write commands are not allowed')
    const reads = `#!lua flags=allow-key-locking,no-writes\nreturn redis.call('GET', KEYS[1])`
    expect(await parts.client().eval(reads, ['k'], [])).toBeNull()
  })

  it('keeps the line numbers of the script', async () => {
    const source = flagged("local a = 1\nlocal b = 2\nerror('here')")
    await expect(parts.client().eval(source, [], [])).rejects.toThrow('user_script:4: here')
  })

  it('runs flagged scripts in a pipeline', async () => {
    const source = flagged("return redis.call('INCR', KEYS[1])")
    const redis = parts.client()
    const sha = await redis.scriptLoad(source)
    expect(await redis.pipeline().eval(source, ['n'], []).evalsha(sha, ['n'], []).exec()).toEqual([1, 2])
  })

  it('gives scripts all of redis, cjson and their own errors', async () => {
    const redis = parts.client()
    const source = flagged(
      "redis.log(redis.LOG_DEBUG, 'x') redis.setresp(2) return {redis.sha1hex('a'), cjson.encode({1}), redis.REDIS_VERSION_NUM > 0 and 1 or 0}",
    )
    expect(await redis.eval(source, [], [])).toEqual([sha1('a'), [1], 1])
    const failing = flagged("local r = redis.pcall('INCR', KEYS[1]) return r.err")
    await redis.set('k', 'text')
    expect(await redis.eval(failing, ['k'], [])).toContain('not an integer')
    await expect(redis.eval(flagged("return redis.call('INCR', KEYS[1])"), ['k'], [])).rejects.toThrow('not an integer')
  })
})

describe('strict keys', async () => {
  const strict = await openTestRedis({ strict: true })

  it.each([
    ['a constructed key', "return redis.call('GET', KEYS[1] .. ':more')"],
    ['a second key of many', "return redis.call('DEL', KEYS[1], 'other')"],
    ['every other word', "return redis.call('MSET', KEYS[1], '1', 'other', '1')"],
    ['a destination', "return redis.call('RENAME', KEYS[1], 'other')"],
    ['a counted key', "return redis.call('ZUNIONSTORE', KEYS[1], 2, KEYS[1], 'other')"],
    ['a key from ARGV', "return redis.call('GET', ARGV[1])"],
  ])('refuse %s in a script with allow-key-locking', async (_, body) => {
    await expect(strict.client().eval(flagged(body), ['k'], ['other'])).rejects.toThrow(
      'attempted to access a key that is not in KEYS',
    )
  })

  it('refuse commands that need the whole database', async () => {
    await expect(strict.client().eval(flagged("return redis.call('FLUSHALL')"), [], [])).rejects.toThrow(
      'ERR FLUSHALL is not allowed',
    )
  })

  it('give a script that catches errors the error as a value, without touching the key', async () => {
    const source = flagged("return redis.pcall('SET', 'other', '1').err")
    expect(await strict.client().eval(source, ['k'], [])).toContain('not in KEYS: other')
    expect(await strict.client().exists('other')).toBe(0)
  })

  it('ignore scripts without the flag, because the whole database is locked for them', async () => {
    expect(await strict.client().eval("return redis.call('INCR', 'undeclared')", [], [])).toBe(1)
  })

  it('are off by default', async () => {
    const loose = await startTestRedis({ strict: false })
    expect(await loose.client().eval(flagged("return redis.call('INCR', 'undeclared')"), [], [])).toBe(1)
    await loose.stop()
  })
})
