/** Listens for servers of the local system, on loopback only. */
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { type ProblemCode, type ProblemFacts, problem } from '../core/outcome.ts'

export type Listening = { url: string; port: number; stop(): Promise<void> }

/** The port is in use by another process; the message names it. */
export class PortTaken extends Error {
  override name = 'PortTaken'
  constructor(port: number) {
    super(`Port ${port} is in use. Stop the other program, or choose another port with --port.`)
  }
}

/**
 * Pending connections, the default maximum of Linux. A crowd opens thousands at once, and the kernel resets those
 * beyond the backlog.
 */
const backlog = 4096

/**
 * Listens on 127.0.0.1 (`port` 0 is any free port). `stop` also closes open HTTP connections.
 * @throws PortTaken
 */
export async function listen(server: Server | HttpServer, port: number): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortTaken(port) : error)
    })
    server.listen({ port, host: '127.0.0.1', backlog }, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

/** The answer of a local route, before serialisation. */
export type RouteReply = { status: number; body: unknown; headers?: Record<string, string | string[]> }

export function problemReply(code: ProblemCode, detail: string, facts: ProblemFacts = {}): RouteReply {
  const document = problem(code, detail, facts)
  return { status: document.status, body: document, headers: { 'content-type': 'application/problem+json' } }
}
