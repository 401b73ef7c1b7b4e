/**
 * Access to `/local/`: from this machine only. The Host header is checked too, so that a web page
 * elsewhere cannot reach these routes through a name that it resolves to 127.0.0.1.
 */
import type { IncomingMessage } from 'node:http'

const addresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const hosts = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

export function isLoopback(request: IncomingMessage): boolean {
  return addresses.has(request.socket.remoteAddress ?? '') && hosts.test(request.headers.host ?? '')
}

/**
 * True for a request that no page of another site can have made: same origin, or not from a
 * browser.
 */
export function isOwnOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers
  return origin === undefined || origin === `http://${host}`
}
