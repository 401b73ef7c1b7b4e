/**
 * Resolves every name under `localhost` to the loopback interface, as RFC 6761, section 6.3, asks of
 * systems, and not every system does. The SDK's client of key-value stores puts an account's id in
 * front of the host of its endpoint.
 */
import dns from 'node:dns'
import { loopback } from './ports.ts'

/** From here on, in this process, until the returned function is called. */
export function resolveLocalhostNames(): () => void {
  const { lookup } = dns
  Object.assign(dns, {
    lookup(host: string, ...rest: unknown[]) {
      return Reflect.apply(lookup, dns, [host.endsWith('.localhost') ? loopback : host, ...rest])
    },
  })
  return () => {
    dns.lookup = lookup
  }
}
