/** Computes the phase and the countdown that an element shows, from the shop's clock. */
import { pagePhase } from '../../core/sale/page-phase.ts'
import type { Phase } from '../../core/sale/phase.ts'
import type { SaleSnapshot } from '../connection.ts'

/** Pages open the sale spread over this time, ms, so that the first clicks do not arrive all at once. */
const jitterMs = 500

/** Returns the phase at `now`, epoch ms. `share`, in [0, 1), is this page's share of the jitter. */
export function shownPhase(sale: SaleSnapshot, now: number, share: number): Phase {
  const { startsAt, remaining } = sale.pointer
  const isEarly = now < startsAt + share * jitterMs
  return pagePhase(sale, isEarly ? Math.min(now, startsAt - 1) : now, remaining)
}

/** Returns `2 d 09:05:07` with the word `d` for days. Leaves out days and hours that are zero. */
export function countdownText(milliseconds: number, d: string): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds / 3600) % 24)]
  const rest = `${two((seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${days > 0 ? `${days} ${d} ` : ''}${days + hours > 0 ? `${two(hours)}:` : ''}${rest}`
}
