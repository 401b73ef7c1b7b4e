/** What an element shows of a sale by the shop's clock. */
import { phaseSeen } from '../../core/sale/page-phase.ts'
import type { Phase } from '../../core/sale/phase.ts'
import type { Seen } from '../connection.ts'

/** Pages open spread over this long, ms, so that the first clicks do not all arrive in one instant. */
const jitterMs = 500

/** The phase at `now`, epoch ms; `share`, from 0 up to 1, is the page's own place in the crowd. */
export function phaseAt(seen: Seen, now: number, share: number): Phase {
  const { startsAt, remaining } = seen.pointer
  const isEarly = now < startsAt + share * jitterMs
  return phaseSeen(seen, isEarly ? Math.min(now, startsAt - 1) : now, remaining)
}

/** `2 d 09:05:07` with the word `d` for days; without days and hours where there are none. */
export function clockText(milliseconds: number, d: string): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds / 3600) % 24)]
  const rest = `${two((seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${days > 0 ? `${days} ${d} ` : ''}${days + hours > 0 ? `${two(hours)}:` : ''}${rest}`
}
