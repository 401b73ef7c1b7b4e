/** Which origin serves which path: the distribution's behaviours, in the words of its settings. */
import type { HttpFunction } from '../resources.ts'

const packets = /^\/api\/sales\/[^?]*\/packets(?:\?|$)/
const wallet = /^\/api\/wallet(?:\?|$)/

/**
 * The origin of a path under `/api/`, the first behaviour that fits. What no function serves, such as a sale's challenge, is
 * answered by the edge function and never gets past it.
 */
export function functionOriginOf(path: string): HttpFunction {
  if (packets.test(path)) return 'claim'
  if (path.startsWith('/api/sales/')) return 'reserve'
  if (wallet.test(path)) return 'wallet'
  if (path.startsWith('/api/payments/')) return 'payments'
  return path.startsWith('/api/control/') ? 'control' : 'orders'
}
