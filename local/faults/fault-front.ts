/**
 * A second listener for an HTTP server of this process, with injectable faults. It passes each
 * request to the server itself, so that without a fault it costs nothing: no second connection, no
 * copying of bytes. A service in another process gets a fault proxy instead (fault-proxy.ts).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { listen } from '../listen.ts'
import { type Breakable, defaultLatencyMs, openFaultSwitch } from './faults.ts'

export type FaultFrontOptions = {
  /** The server that receives the requests. */
  server: Server
  /** Applies the fault `limited` to requests at this `port`; called with undefined when it ends. */
  slowDown?: (port: number, commandsPerSecond: number | undefined) => void
  /** 0, the default, takes a free port. */
  port?: number
  /** At least 0 and less than 1, for a fault's `rate`. Default Math.random. */
  random?: () => number
}

/**
 * Starts the listener.
 * @throws PortTaken
 */
export async function startFaultFront(options: FaultFrontOptions): Promise<Breakable> {
  const { server: target, slowDown, port = 0, random = Math.random } = options
  const sockets = new Set<Socket>()
  const swallowed = new Set<Socket>()
  const reset = (some: Set<Socket>) => {
    for (const socket of [...some]) socket.resetAndDestroy()
  }
  const faults = openFaultSwitch((fault) => {
    if (fault?.mode === 'down') reset(sockets)
    if (fault?.mode !== 'blackhole') reset(swallowed)
    slowDown?.(listening.port, fault?.mode === 'limited' ? fault.commandsPerSecond : undefined)
  }, random)

  const door = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => {
    const fault = faults.strike()
    switch (fault?.mode) {
      case undefined:
      case 'limited':
        break
      case 'down':
        request.socket.resetAndDestroy()
        return
      case 'blackhole':
        swallowed.add(request.socket)
        return
      case 'slow':
        setTimeout(() => {
          if (!request.socket.destroyed) target.emit('request', request, response)
        }, fault.latencyMs ?? defaultLatencyMs)
        return
      case 'lost-reply':
        loseReply(request, response)
        break
    }
    target.emit('request', request, response)
  })
  door.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      swallowed.delete(socket)
    })
  })
  const listening = await listen(door, port)

  return {
    port: listening.port,
    set: faults.set,
    async stop() {
      faults.close()
      await listening.stop()
    },
  }
}

/** Resets the connection when the reply would begin: the request has been executed by then. */
function loseReply(request: IncomingMessage, response: ServerResponse): void {
  const cut = () => {
    if (!request.socket.destroyed) request.socket.resetAndDestroy()
  }
  const cutAndReturn = () => {
    cut()
    return response
  }
  Object.assign(response, {
    writeHead: cutAndReturn,
    flushHeaders: cut,
    write: () => {
      cut()
      return false
    },
    end: cutAndReturn,
  })
}
