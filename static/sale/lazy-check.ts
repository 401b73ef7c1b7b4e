/**
 * The check that a shopper is a person (R5, N4), as the sale page sees it before and after the check's own part has
 * loaded. Most sales ask for none, and strangers are asked to sign in first: neither loads it.
 */
import { checkBeforeStartMs } from '../../core/gate/challenge.ts'
import type { Phase } from '../../core/sale/phase.ts'
import { localNow } from '../../web/clock.ts'
import { byId, setText } from '../../web/dom.ts'
import { loadModule } from '../../web/load-module.ts'
import { whoIsHere } from '../../web/signed-in.ts'
import type { Settled } from '../buy/refusal.ts'
import type { CheckParts, SaleCheck } from '../challenge.ts'
import type { Hold } from '../check/person-check.ts'

/** A part that did not load is tried again this much later at the earliest, up to twice as much. */
const againMs = 5000

/**
 * `now` and `startsAt` are epoch ms on the shop's clock; `waitMs` is how long the shopper still waits in a sale that is open,
 * for the own turn or for the end of early access. A page that has `won` is on its way to the order.
 */
type Drawn = { phase: Phase | undefined; now: number; startsAt: number; waitMs: number; won: boolean }

/** `page` is what the page was printed with. */
export function lazyCheck(page: DOMStringMap, parts: Omit<CheckParts, 'kind' | 'worker'>) {
  const place = parts.place ?? byId('check')
  const spread = Math.random()
  const { challenge: kind = 'off' } = page
  let wanted = kind !== 'off' && whoIsHere() !== null
  let check: SaleCheck | undefined
  let loading = false
  let broken = false
  let quietUntil = 0

  const load = async () => {
    loading = true
    try {
      const part = await loadModule<typeof import('../challenge.ts')>(page.challengeScript ?? '')
      check = await part?.startCheck({ ...parts, kind, worker: page.challengeWorker ?? '' })
    } finally {
      if (check === undefined) {
        broken = true
        quietUntil = localNow() + againMs * (1 + Math.random())
      }
      loading = false
      parts.onChange()
    }
  }

  // Room for the widget, before there is one: nothing below it moves when it comes.
  if (wanted) place.dataset.kind = kind

  return {
    payload: () => check?.payload(),
    /** What keeps a click back. */
    hold(): Hold | undefined {
      if (check !== undefined) return check.hold()
      return wanted ? (broken ? 'unchecked' : 'checking') : undefined
    },
    /** The answer to a click: a marketer may have switched the check on since the page was opened. */
    answered(outcome: Settled, settled: boolean): void {
      check?.answered(outcome, settled)
      if (outcome.kind === 'refused' && outcome.code === 'challenge-required') wanted = true
    },
    /** To be called as often as the page is drawn. */
    draw(drawn: Drawn): void {
      const { phase } = drawn
      const due = checkDue({ ...drawn, spread })
      if (check !== undefined) {
        check.draw(due, phase)
        return
      }
      const before = phase === undefined || phase === 'scheduled'
      place.hidden = before ? kind === 'off' : !broken || phase !== 'open'
      if (broken) setText(place.children[0] as HTMLElement, parts.voice.t('status.offline'))
      if (wanted && due && !loading && localNow() >= quietUntil) void load()
    },
  }
}

/**
 * When a page asks for its challenge (R5): before the start, so that nothing has to be worked out once it counts, and
 * each page at its own moment, so that a crowd which has waited for hours does not ask in the same second. Whether a
 * page without a solved challenge should have one now. `spread`, from 0 up to 1, is fixed per page.
 */
export function checkDue({ phase, now, startsAt, waitMs, spread, won }: Drawn & { spread: number }): boolean {
  const { from, until } = checkBeforeStartMs
  const aheadMs = from - spread * (from - until)
  // A solution does not last as long as early access may.
  return !won && (phase === 'open' ? waitMs <= aheadMs : phase === 'scheduled' && startsAt - now <= aheadMs)
}
