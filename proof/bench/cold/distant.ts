/**
 * Simulates a distant service: HTTPS in front of an HTTP service of this machine, with the given
 * round-trip time. Bytes take half of it in each direction, and the first bytes of a connection one
 * round trip more for TCP's handshake; the handshake of TLS 1.3 then takes its own round trip.
 */

import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { selfSignedCertificate } from './certificate.ts'

/** Round trips needed to open a connection: TCP and TLS 1.3. */
export const tripsToConnect = 2

export type Distant = {
  url: string
  /** The certificate to trust, in PEM. */
  certificate: string
  /** HTTP requests that arrived so far. */
  requests(): number
  stop(): Promise<void>
}

/** `target` is the address of the HTTP service, `tripMs` the time of a round trip. */
export async function startDistant(target: string, tripMs: number): Promise<Distant> {
  const { certificate, key } = selfSignedCertificate()
  let requests = 0
  const service = createHttpsServer({ cert: certificate, key, keepAliveTimeout: 60_000 }, async (request, response) => {
    requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization = '' } = request.headers
    const headers = { authorization, 'content-type': 'application/json' }
    const body = Buffer.concat(chunks)
    const reply = await fetch(`${target}${request.url}`, { method: 'POST', headers, body })
    const bytes = Buffer.from(await reply.arrayBuffer())
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(bytes)
  })
  const inside = await portOf(service.listen(0, '127.0.0.1'))
  const sockets = new Set<Socket>()
  const front = createServer((client) => {
    const server = connect({ host: '127.0.0.1', port: inside, noDelay: true })
    delay(client, server, tripMs / 2, tripMs)
    delay(server, client, tripMs / 2, 0)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.once('close', () => sockets.delete(socket))
    }
  })
  front.on('connection', (socket) => socket.setNoDelay(true))
  const port = await portOf(front.listen(0, '127.0.0.1'))
  return {
    url: `https://localhost:${port}`,
    certificate,
    requests: () => requests,
    async stop() {
      for (const socket of sockets) socket.destroy()
      front.close()
      service.close()
      service.closeAllConnections()
      await once(front, 'close')
    },
  }
}

/** Forwards bytes in order after `delayMs`; the first ones wait `firstMs` more. */
function delay(from: Socket, to: Socket, delayMs: number, firstMs: number): void {
  const openedAt = performance.now()
  const later = (act: () => void) => {
    const readyAt = Math.max(performance.now(), openedAt + firstMs)
    setTimeout(act, readyAt - performance.now() + delayMs)
  }
  from.on('data', (chunk) => later(() => to.writable && to.write(chunk)))
  from.on('end', () => later(() => to.end()))
  from.on('close', () => later(() => to.destroy()))
}

async function portOf(server: Server): Promise<number> {
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new TypeError('the server has no port')
  return address.port
}
