/** Origins of other sites' pages that may sell (RFC 6454): scheme, host and port, as browsers write `Origin`. */
import { urlIn } from '../lib/url-in.ts'

/** Maximum number of origins of a sale, because the gate reads all of them with the facts of the sale. */
export const maxOrigins = 20

/** A host name has at most 253 characters (RFC 1035, 2.3.4). */
const maxOriginLength = 270

/** True when an origin is on the reader's own machine, the only place where https is not required. */
export const isLoopbackOrigin = (origin: string): boolean => origin.startsWith('http:')

/** Hosts of the own machine, where pages have no certificate. */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True for an exact origin: https, or http on the own machine, without path, wildcard or default port. */
export function isPageOrigin(text: string): boolean {
  const url = text.length > maxOriginLength ? undefined : urlIn(text)
  if (url === undefined) return false
  const { origin, protocol, hostname } = url
  // URL parsers accept an asterisk in a host.
  if (origin !== text || hostname.includes('*')) return false
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
}
