/** Why scripts and not MULTI/EXEC (P9), seen on a real Redis. docs/decisions/README.md explains it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loopback } from '../../local/ports.ts'
import { openLink, type RedisLink } from '../../local/upstash/link.ts'
import { RedisError, RedisStatus, type RespReply } from '../../local/upstash/resp.ts'
import { reserveScript } from '../../redis/buy/reserve.ts'
import { type RedisRig, startRedisRig } from './support.ts'

let rig: RedisRig
let link: RedisLink
beforeAll(async () => {
  rig = await startRedisRig()
  link = openLink({ host: loopback, port: rig.redisPort })
})
afterAll(async () => {
  link.close()
  await rig.stop()
})

/** Replies of one trip, with their bytes as text. */
async function ask(through: RedisLink, commands: string[][]): Promise<unknown[]> {
  return (await through.send(commands)).map(textOf)
}

function textOf(reply: RespReply): unknown {
  if (Buffer.isBuffer(reply)) return reply.toString()
  if (reply instanceof RedisStatus) return reply.text
  return Array.isArray(reply) ? reply.map(textOf) : reply
}

const messageOf = (reply: unknown) => (reply instanceof RedisError ? reply.message : 'no error')

describe('MULTI/EXEC (P9)', () => {
  it('runs nothing when a command could not be queued', async () => {
    const replies = await ask(link, [['MULTI'], ['SET', 'queued', '1'], ['NOSUCHCOMMAND'], ['EXEC'], ['GET', 'queued']])
    expect(messageOf(replies[3])).toMatch(/^EXECABORT/)
    expect(replies[4]).toBeNull()
  })

  it('does not roll back what ran before a command that failed', async () => {
    const replies = await ask(link, [
      ['SET', 'text', 'a'],
      ...[['MULTI'], ['SET', 'before', '1'], ['INCR', 'text'], ['SET', 'after', '1'], ['EXEC']],
      ['MGET', 'before', 'after'],
    ])
    const [, failed] = Array.isArray(replies[5]) ? replies[5] : []
    expect(messageOf(failed)).toMatch(/not an integer/)
    expect(replies[6]).toEqual(['1', '1'])
  })

  it('cannot decide by what it reads: every command is fixed before the first one runs', async () => {
    const replies = await ask(link, [['SET', 'stock', '0'], ['MULTI'], ['GET', 'stock'], ['DECR', 'stock'], ['EXEC']])
    expect(replies[2]).toBe('QUEUED')
    expect(replies[4]).toEqual(['0', -1])
  })

  it('under WATCH only detects that it came too late, and has to start again', async () => {
    const other = openLink({ host: loopback, port: rig.redisPort })
    await ask(link, [
      ['SET', 'watched', '1'],
      ['WATCH', 'watched'],
    ])
    await ask(other, [['SET', 'watched', '2']])
    const replies = await ask(link, [['MULTI'], ['SET', 'watched', '3'], ['EXEC'], ['GET', 'watched']])
    other.close()
    expect(replies[2]).toBeNull()
    expect(replies[3]).toBe('2')
  })
})

describe('a script (P9)', () => {
  it('does not roll back either when it fails half-way', async () => {
    const [failed] = await ask(link, [['EVAL', "redis.call('SET', KEYS[1], 1) error('late')", '1', 'half']])
    expect(messageOf(failed)).toMatch(/late/)
    expect(await ask(link, [['GET', 'half']])).toEqual(['1'])
  })

  // So ours read and decide first: after the first write nothing can be rejected.
  it('of ours that takes stock checks every refusal before its first write', () => {
    const { source } = reserveScript
    const body = source.slice(source.indexOf('\n]]\n') + 4)
    // A refused try, which is written, ends with its own answer; a missing packet was not taken.
    for (const way of body.split(/(?<=return answer\(16\)\nend)/)) {
      const firstWrite = way.search(/call\('HSET'|call\('RPOP'/)
      expect(firstWrite).toBeGreaterThan(0)
      expect(way.slice(firstWrite)).not.toMatch(/call\('(?:HGET|HMGET|GET|HLEN|LLEN|EXISTS)'/)
    }
  })
})
