/**
 * One connection to Redis, shared by all requests: replies arrive in the order of the commands, so they need no ids.
 * When the connection breaks, pending commands fail with an unknown outcome, and the next call reconnects.
 */
import { connect, type Socket } from 'node:net'
import { encodeCommand, type RespReply, replyReader } from './resp.ts'

/** `path` is a Unix socket, used instead of the port: a command over it takes a third less processor time. */
export type RedisEndpoint = { host: string; port: number; path?: string }

/**
 * Redis did not answer: it is unreachable, or the connection broke. The command may have been
 * executed.
 */
export class RedisUnreachable extends Error {}

export type RedisLink = {
  /**
   * Writes all commands in one write, without others in between, and returns their replies.
   * @throws RedisUnreachable
   */
  send(commands: readonly (readonly string[])[]): Promise<RespReply[]>
  close(): void
}

type Waiting = { replies: RespReply[]; missing: number; resolve(replies: RespReply[]): void; reject(e: Error): void }

const connectTimeoutMs = 2000

export function openLink(address: RedisEndpoint): RedisLink {
  let socket: Socket | undefined
  let ready = false
  let unsent = ''
  let flushing = false
  const pending = openPending()
  let closed = false

  const flush = () => {
    flushing = false
    if (!ready || socket === undefined || unsent === '') return
    const wire = unsent
    unsent = ''
    socket.write(wire)
  }

  const enqueue = (commands: readonly (readonly string[])[]): Promise<RespReply[]> =>
    new Promise((resolve, reject) => {
      pending.add({ replies: [], missing: commands.length, resolve, reject })
      for (const command of commands) unsent += encodeCommand(command)
      if (flushing || !ready) return
      // Requests in the same turn of the event loop share one write.
      flushing = true
      setImmediate(flush)
    })

  const drop = (broken: Socket, why: string) => {
    if (socket !== broken) return
    socket = undefined
    ready = false
    unsent = ''
    pending.failAll(why)
  }

  const open = () => {
    const fresh = connectTo(address, pending, {
      ready() {
        ready = true
        flush()
      },
      broken: (why) => drop(fresh, why),
    })
    socket = fresh
  }

  return {
    send(commands) {
      if (closed) return Promise.reject(new RedisUnreachable('the link was closed'))
      if (socket === undefined) open()
      return enqueue(commands)
    },
    close() {
      closed = true
      const last = socket
      if (last === undefined) return
      drop(last, 'the link was closed')
      last.destroy()
    },
  }
}

/** Connects; `broken` is called when the connection fails or closes. */
function connectTo(address: RedisEndpoint, pending: Pending, on: { ready(): void; broken(why: string): void }): Socket {
  const { host, port, path } = address
  const socket = connect(path === undefined ? { host, port, noDelay: true } : { path })
  const read = replyReader(pending.receive)
  socket.on('data', (chunk) => {
    try {
      read(chunk)
    } catch (error) {
      socket.destroy()
      on.broken(String(error))
    }
  })
  socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('connecting took too long')))
  socket.once('connect', () => {
    socket.setTimeout(0)
    on.ready()
  })
  socket.on('error', (error) => on.broken(error.message))
  socket.once('close', () => on.broken('the connection was closed'))
  return socket
}

type Pending = ReturnType<typeof openPending>

/** Creates the queue of pending calls, in the order of their commands. */
function openPending() {
  let queue: Waiting[] = []
  let head = 0
  return {
    add: (waiting: Waiting) => void queue.push(waiting),
    receive(reply: RespReply): void {
      const first = queue[head]
      if (first === undefined) return
      first.replies.push(reply)
      first.missing -= 1
      if (first.missing > 0) return
      head += 1
      if (head > 1024 && head * 2 > queue.length) {
        queue = queue.slice(head)
        head = 0
      }
      first.resolve(first.replies)
    },
    failAll(why: string): void {
      const lost = queue.slice(head)
      queue = []
      head = 0
      for (const one of lost) one.reject(new RedisUnreachable(why))
    },
  }
}
