import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeCommand, RedisError, RedisStatus, type RespReply, replyReader } from '../../local/upstash/resp.ts'

const wireOf = (reply: RespReply): string => {
  if (reply === null) return '$-1\r\n'
  if (typeof reply === 'number') return `:${reply}\r\n`
  if (Buffer.isBuffer(reply)) return `$${reply.length}\r\n${reply.toString()}\r\n`
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(wireOf).join('')}`
  return reply instanceof RedisStatus ? `+${reply.text}\r\n` : `-${reply.message}\r\n`
}

const line = fc.string().map((text) => text.replaceAll(/[\r\n]/g, ''))
const { reply } = fc.letrec<{ reply: RespReply }>((tie) => ({
  reply: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.maxSafeInteger(),
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
    line.filter((text) => /^[\x20-\x7e]*$/.test(text)).map((text) => new RedisStatus(text)),
    line.map((text) => new RedisError(text)),
    fc.array(tie('reply'), { maxLength: 4 }),
  ),
}))

describe('the RESP reader', () => {
  it('reads the same replies for any split of the stream', () => {
    fc.assert(
      fc.property(fc.array(reply, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 20 }), (replies, cuts) => {
        const wire = Buffer.from(replies.map(wireOf).join(''))
        const places = [0, ...cuts.map((cut) => cut % (wire.length + 1)), wire.length].sort((a, b) => a - b)
        const read: RespReply[] = []
        const feed = replyReader((one) => read.push(one))
        for (const [index, place] of places.entries()) feed(wire.subarray(place, places[index + 1] ?? wire.length))
        expect(read).toEqual(replies)
      }),
    )
  })

  it('refuses bytes that are not RESP2', () => {
    expect(() => replyReader(() => {})(Buffer.from('HTTP/1.1 400\r\n'))).toThrow('not RESP2')
  })

  it('writes a command with the length of its bytes, not of its characters', () => {
    expect(encodeCommand(['SET', 'ü', ''])).toBe('*3\r\n$3\r\nSET\r\n$2\r\nü\r\n$0\r\n\r\n')
  })
})
