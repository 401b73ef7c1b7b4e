/**
 * Who may use `/local/`: this machine only. The Host header is checked too, so that a page elsewhere cannot
 * reach these routes through a name of its own that it points at 127.0.0.1.
 */
import type { IncomingMessage } from 'node:http'

const addresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const hosts = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

export function isLoopback(request: IncomingMessage): boolean {
  return addresses.has(request.socket.remoteAddress ?? '') && hosts.test(request.headers.host ?? '')
}

/** True for a call that no page of another site can have made: same origin, or no browser at all. */
export function isOwnOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers
  return origin === undefined || origin === `http://${host}`
}
