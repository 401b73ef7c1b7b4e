/** Which origin serves which path: the distribution's behaviours, in the words of its settings. */
import type { HttpFunction } from '../resources.ts'

/**
 * The origin of a path under `/api/`. What no function serves, such as a sale's challenge, is answered by the edge function
 * and never gets past it.
 */
export function functionOriginOf(path: string): HttpFunction {
  if (path.startsWith('/api/sales/')) return 'reserve'
  if (path.startsWith('/api/payments/')) return 'payments'
  return path.startsWith('/api/control/') ? 'control' : 'orders'
}
