/**
 * The reply encoding of the REST API. With `Upstash-Encoding: base64` every text in a result is
 * base64 at every depth, except for an OK that is the whole result; numbers and null are unchanged.
 * The SDK decodes by the same rule, so a text without base64 would arrive as garbage, not as an
 * error.
 */
import { RedisError, RedisStatus, type RespReply } from './resp.ts'

export type RestValue = string | number | null | RestValue[]

/** Converts a reply to an item of the REST answer: `{result}` or `{error}`. */
export function toAnswer(reply: RespReply, base64: boolean): { result: RestValue } | { error: string } {
  if (reply instanceof RedisError) return { error: reply.message }
  if (reply instanceof RedisStatus && reply.text === 'OK') return { result: 'OK' }
  return { result: base64 ? toBase64(reply) : toPlain(reply) }
}

function toBase64(reply: RespReply): RestValue {
  if (Buffer.isBuffer(reply)) return reply.toString('base64')
  if (reply === null || typeof reply === 'number') return reply
  if (Array.isArray(reply)) return reply.map(toBase64)
  return Buffer.from(reply instanceof RedisStatus ? reply.text : reply.message).toString('base64')
}

function toPlain(reply: RespReply): RestValue {
  if (Buffer.isBuffer(reply)) return reply.toString()
  if (reply === null || typeof reply === 'number') return reply
  if (Array.isArray(reply)) return reply.map(toPlain)
  return reply instanceof RedisStatus ? reply.text : reply.message
}
