/**
 * Posts text to a service over keep-alive connections. A small request takes a third of the CPU time of `fetch`, and the
 * gate's bundle needs no library.
 */
import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import { userAgent } from '../core/lib/user-agent.ts'

/** The token identifies the account, so the user agent does not include the shop's URL. */
const common = { accept: 'application/json', 'user-agent': userAgent() }

/**
 * Sends `body` to `path` and resolves with the answer of any status. After a rejection the request may have arrived. It is
 * sent once, or again if the service had closed the idle connection.
 * @throws an error of the connection; after `timeoutMs` a TimeoutError
 */
export type Post = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeoutMs: number,
) => Promise<{ status: number; body: string }>

/** After this time without a request the service may have closed the connections, ms. */
export const idleMs = 4000

/** Posts to addresses below `url`. Opening a connection takes at most `connectMs`. */
export function openPost(url: string, connectMs = Number.POSITIVE_INFINITY): Post {
  const base = new URL(url)
  const { request, Agent } = base.protocol === 'http:' ? http : https
  // A new connection costs two round trips and a handshake, so connections are kept while the process lives.
  const agent = new Agent({ keepAlive: true })
  const options: https.RequestOptions = { ...urlToHttpOptions(base), method: 'POST', agent }
  const folder = base.pathname.replace(/\/$/, '')
  let usedAt = 0

  const send: Post = (path, headers, body, timeoutMs) =>
    new Promise((resolve, reject) => {
      const own = { ...common, 'content-length': Buffer.byteLength(body) }
      const sent = request({ ...options, path: folder + path, headers: { ...headers, ...own } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', fail)
        answer.on('end', () => {
          deadline.clear()
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() })
        })
      })
      const fail = (error: Error) => {
        deadline.clear()
        reject(error)
      }
      const deadline = startDeadline(timeoutMs, () => sent.destroy(new DeadlineExceeded('answer', timeoutMs)))
      if (connectMs < timeoutMs) sent.on('socket', (socket) => limitConnectTime(socket, connectMs))
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isClosed = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        fail(isClosed ? new KeptConnectionClosed('the kept connection was closed', { cause: error }) : error)
      })
      sent.end(body)
    })

  return async (path, headers, body, timeoutMs) => {
    const startedAt = Date.now()
    const wasIdle = startedAt - usedAt >= idleMs
    usedAt = startedAt
    try {
      return await send(path, headers, body, timeoutMs)
    } catch (error) {
      if (!wasIdle) throw error
      // The other connections were idle as long.
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
      if (!(error instanceof KeptConnectionClosed)) throw error
      return send(path, headers, body, timeoutMs - (Date.now() - startedAt))
    }
  }
}

/** The service has closed a keep-alive connection. */
class KeptConnectionClosed extends Error {
  override name = 'KeptConnectionClosed'
}

/** Destroys a connection that is not open after `connectMs`. */
function limitConnectTime(socket: Socket, connectMs: number): void {
  if (!socket.connecting) return
  const deadline = startDeadline(connectMs, () => socket.destroy(new DeadlineExceeded('connection', connectMs)))
  socket.once('connect', deadline.clear)
  socket.once('close', deadline.clear)
}

/**
 * Calls `onDeadline` after `timeoutMs`, unless it is cleared. Node runs timers before it reads sockets, so in a process that
 * was busy or frozen past the deadline, an answer that arrived in time is still unread. So sockets are read once more
 * before the deadline takes effect.
 */
function startDeadline(timeoutMs: number, onDeadline: () => void): { clear(): void } {
  let lastRead: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    lastRead = setImmediate(onDeadline)
  }, timeoutMs)
  return {
    clear() {
      clearTimeout(timer)
      clearImmediate(lastRead)
    },
  }
}

class DeadlineExceeded extends Error {
  override name = 'TimeoutError'

  constructor(missing: string, timeoutMs: number) {
    super(`no ${missing} within ${timeoutMs} ms`)
  }
}
