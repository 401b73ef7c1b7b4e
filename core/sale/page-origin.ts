/** Origins of other sites' pages that may sell (RFC 6454): scheme, host and port, as browsers write `Origin`. */
import { urlIn } from '../lib/url-in.ts'

/** Origins of one sale: the gate reads all of them with the facts of the sale. */
export const maxOrigins = 20

/** A host name has at most 253 characters (RFC 1035, 2.3.4). */
const maxOriginLength = 270

/** True when an origin of a page is on the machine of its reader: only there it may be without https. */
export const isLoopbackOrigin = (origin: string): boolean => origin.startsWith('http:')

/** Hosts that a browser does not look up in the network: pages on one machine have no certificate. */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True when `text` is an exact origin: https, or http on the own machine, without path, wildcard or default port. */
export function isPageOrigin(text: string): boolean {
  const url = text.length > maxOriginLength ? undefined : urlIn(text)
  if (url === undefined) return false
  const { origin, protocol, hostname } = url
  // A browser would take a star for a host.
  if (origin !== text || hostname.includes('*')) return false
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
}
