/**
 * Posts to the Upstash REST API over connections that stay open. A small request costs a third of
 * the processor time that `fetch` takes, and the gate's bundle gets no library by it.
 */
import * as http from 'node:http'
import * as https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { RedisReplyError } from './errors.ts'

/**
 * Sends `body` as JSON to `path`, once, and resolves with the answer. The request may have arrived
 * when it is rejected.
 * @throws RedisReplyError for an error that the service answered to the whole request; any other
 *   error, after `timeoutMs` a TimeoutError, when there was no usable answer
 */
export type Post = (path: string, body: unknown, timeoutMs: number) => Promise<unknown>

/**
 * An unused connection is closed after this long, ms: sooner than the service closes it. A frozen
 * function closes nothing, so the first request after a pause does.
 */
export const connectionKeptMs = 4000

/** A transport to the REST address `url`. */
export function openTransport({ url, token }: { url: string; token: string }): Post {
  const base = new URL(url)
  const { request, Agent } = base.protocol === 'http:' ? http : https
  const agent = new Agent({ keepAlive: true, timeout: connectionKeptMs })
  const options: https.RequestOptions = { ...urlToHttpOptions(base), method: 'POST', agent }
  const folder = base.pathname.replace(/\/$/, '')
  const authorization = `Bearer ${token}`
  let usedAt = 0
  const closeStale = () => {
    const now = Date.now()
    if (now - usedAt >= connectionKeptMs)
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
    usedAt = now
  }

  return (path, body, timeoutMs) =>
    new Promise((resolve, reject) => {
      closeStale()
      const text = JSON.stringify(body)
      const headers = {
        authorization,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }
      const sent = request({ ...options, path: folder + path, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', fail)
        answer.on('end', () => {
          deadline.clear()
          try {
            resolve(readAnswer(answer.statusCode ?? 0, Buffer.concat(chunks).toString()))
          } catch (error) {
            reject(error)
          }
        })
      })
      const fail = (error: Error) => {
        deadline.clear()
        reject(error)
      }
      const deadline = startDeadline(timeoutMs, () => sent.destroy(new Late(timeoutMs)))
      sent.on('error', fail)
      sent.end(text)
    })
}

/**
 * Calls `giveUp` after `timeoutMs`, unless it is cleared. Node runs timers before it reads sockets:
 * in a process that was busy or frozen past the deadline, an answer that came in time is still
 * unread. So the sockets are read once more before the request is given up.
 */
function startDeadline(timeoutMs: number, giveUp: () => void): { clear(): void } {
  let lastRead: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    lastRead = setImmediate(giveUp)
  }, timeoutMs)
  return {
    clear() {
      clearTimeout(timer)
      clearImmediate(lastRead)
    },
  }
}

function readAnswer(status: number, body: string): unknown {
  // A gateway in front of Redis, or a Redis that is not there.
  if (status >= 500) throw new NoReply(`HTTP ${status}`)
  const answer: unknown = JSON.parse(body)
  const refusal = errorIn(answer)
  if (refusal !== undefined) throw refusal
  if (status >= 300) throw new NoReply(`HTTP ${status}`)
  return answer
}

/** The error in an answer to a request or to one of its commands; undefined without one. */
export function errorIn(answer: unknown): RedisReplyError | undefined {
  const isError = typeof answer === 'object' && answer !== null && 'error' in answer
  return isError && typeof answer.error === 'string' ? new RedisReplyError(answer.error) : undefined
}

/** The service answered without a result from Redis. */
export class NoReply extends Error {
  override name = 'NoReply'
}

class Late extends Error {
  override name = 'TimeoutError'

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`)
  }
}
