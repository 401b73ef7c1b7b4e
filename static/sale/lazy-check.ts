/** Loads the person check (R5, N4) when it is due. Sales without a check, and guests, never load it. */
import { checkBeforeStartMs } from '../../core/gate/challenge.ts'
import type { Phase } from '../../core/sale/phase.ts'
import { localNow } from '../../web/clock.ts'
import { byId, setText } from '../../web/dom.ts'
import { loadModule } from '../../web/load-module.ts'
import { whoIsHere } from '../../web/signed-in.ts'
import type { ClickAnswer } from '../buy/refusal.ts'
import type { CheckParts, SaleCheck } from '../challenge.ts'
import type { CheckHold } from '../check/person-check.ts'

/** The shortest wait before the script is loaded again, ms; jitter adds up to as much. */
const retryMs = 5000

/**
 * `now` and `startsAt` are epoch ms on the shop's clock. `waitMs` is the time to the shopper's turn or to the end of early
 * access. A page that has `won` is leaving for the order.
 */
type Drawn = { phase: Phase | undefined; now: number; startsAt: number; waitMs: number; won: boolean }

/** `page` is the data in the page's markup. */
export function lazyCheck(page: DOMStringMap, parts: Omit<CheckParts, 'kind' | 'worker'>) {
  const place = parts.place ?? byId('check')
  const spread = Math.random()
  const { challenge: kind = 'off' } = page
  let isNeeded = kind !== 'off' && whoIsHere() !== null
  let check: SaleCheck | undefined
  let isLoading = false
  let hasFailed = false
  let quietUntil = 0

  const load = async () => {
    isLoading = true
    try {
      const part = await loadModule<typeof import('../challenge.ts')>(page.challengeScript ?? '')
      check = await part?.startCheck({ ...parts, kind, worker: page.challengeWorker ?? '' })
    } finally {
      if (check === undefined) {
        hasFailed = true
        quietUntil = localNow() + retryMs * (1 + Math.random())
      }
      isLoading = false
      parts.onChange()
    }
  }

  // Reserves the place of the widget, so that the layout does not shift.
  if (isNeeded) place.dataset.kind = kind

  return {
    payload: () => check?.payload(),
    /** Returns why a click must wait; undefined if it need not. */
    hold(): CheckHold | undefined {
      if (check !== undefined) return check.hold()
      return isNeeded ? (hasFailed ? 'unchecked' : 'checking') : undefined
    },
    /** Applies the answer to a click: a marketer may have switched the check on. */
    answered(outcome: ClickAnswer, isFinal: boolean): void {
      check?.answered(outcome, isFinal)
      if (outcome.kind === 'refused' && outcome.code === 'challenge-required') isNeeded = true
    },
    /** Call it on each draw of the page. */
    draw(drawn: Drawn): void {
      const { phase } = drawn
      const due = checkDue({ ...drawn, spread })
      if (check !== undefined) {
        check.draw(due, phase)
        return
      }
      const before = phase === undefined || phase === 'scheduled'
      place.hidden = before ? kind === 'off' : !hasFailed || phase !== 'open'
      if (hasFailed) setText(place.children[0] as HTMLElement, parts.voice.t('status.offline'))
      if (isNeeded && due && !isLoading && localNow() >= quietUntil) void load()
    },
  }
}

/**
 * True when a page should get its challenge (R5): before the start, each page at its own time, so that a crowd does not send
 * its requests in one second. `spread`, in [0, 1), is fixed per page.
 */
export function checkDue({ phase, now, startsAt, waitMs, spread, won }: Drawn & { spread: number }): boolean {
  const { from, until } = checkBeforeStartMs
  const aheadMs = from - spread * (from - until)
  // A solution may expire during early access.
  return !won && (phase === 'open' ? waitMs <= aheadMs : phase === 'scheduled' && startsAt - now <= aheadMs)
}
