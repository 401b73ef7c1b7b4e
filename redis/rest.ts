/**
 * The smallest client of the Upstash REST API: one command, one request, one reply. The gate's bundle carries this one,
 * because the SDK alone would be larger than all the rest of it.
 */
import type { RedisAddress } from './client.ts'
import type { Commander } from './command.ts'
import { RedisReplyError } from './errors.ts'

/** A client for the REST address `url`. One try; a call that takes longer than `timeoutMs` is rejected. */
export function connectRest({ url, token, timeoutMs }: RedisAddress): Commander {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    async exec(args) {
      const signal = AbortSignal.timeout(timeoutMs)
      // A redirect would be a second request, to whoever answers it.
      const init: RequestInit = { method: 'POST', headers, signal, redirect: 'error' }
      const response = await fetch(url, { ...init, body: JSON.stringify(args) })
      return replyIn(response.status, await response.text())
    },
  }
}

/** @throws RedisReplyError for what Redis answered instead of a reply; any other error when it said nothing */
function replyIn(status: number, body: string): unknown {
  if (status >= 500) throw new NoReply(`HTTP ${status}`)
  const answer: unknown = JSON.parse(body)
  if (typeof answer === 'object' && answer !== null) {
    if ('error' in answer && typeof answer.error === 'string') throw new RedisReplyError(answer.error)
    if ('result' in answer && status < 300) return answer.result
  }
  throw new NoReply('no result')
}

/** The service answered, and said nothing of what Redis did. */
class NoReply extends Error {
  override name = 'NoReply'
}
