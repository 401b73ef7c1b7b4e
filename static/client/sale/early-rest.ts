/** A rest that the shop asked for because of early access ends earlier when early access does. */
import { earlyAccessMs } from '../../../core/sale/early-access.ts'
import type { Countdown } from '../../../core/sale/pointer.ts'

/** Times are epoch ms on the shop's clock. */
type Seen = { countdown: Countdown | undefined; startsAt: number; now: number }

/** How long only members may still buy, ms; 0 or less once all others may. */
export function earlyLeftMs({ countdown, startsAt, now }: Seen): number {
  return startsAt + earlyAccessMs({ minutes: countdown?.earlyMinutes ?? 0 }) - now
}

/**
 * Shortens `rest`. Only fewer minutes do so: while they stay, the wait that the shop named counts,
 * which no clock of a device can make shorter.
 */
export function earlyRest(rest: { leftMs(): number; take(milliseconds: number): void }) {
  let minutes = 0
  let awaited = 0
  return {
    /** A click was sent, or refused by `code`. */
    clicked(code?: string): void {
      awaited = code === 'not-your-turn' ? minutes : 0
    },
    /** The shopper's own turn comes `turnMs` after the end of early access, where the page knows it. */
    look(seen: Seen & { turnMs: number | undefined }): void {
      const { countdown, turnMs = 0 } = seen
      if (countdown) minutes = countdown.earlyMinutes ?? 0
      if (minutes >= awaited) return
      awaited = minutes
      rest.take(Math.min(rest.leftMs(), earlyLeftMs(seen) + turnMs))
    },
  }
}
