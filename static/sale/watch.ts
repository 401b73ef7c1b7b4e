/**
 * Keeps what the page knows of its sale fresh: the pointer, the countdown module it names, and the
 * shop's clock, which comes with the pointer. The CDN serves all of it (C3).
 */
import { seenText } from '../../core/gate/seen-version.ts'
import type { SaleId } from '../../core/ids.ts'
import { isArmed, phaseSeen, startSeen } from '../../core/sale/page-phase.ts'
import type { Available } from '../../core/sale/phase.ts'
import { type Countdown, type Pointer, pointerPath } from '../../core/sale/pointer.ts'
import { nextPollMs } from '../../core/sale/pointer-poll.ts'
import { type ClockSample, localNow, shopClock } from '../../web/clock.ts'
import { publishedPhase } from './phase-seen.ts'
import { loadCountdown, lookAtPointer, preloadedSample, type RequestTiming } from './pointer-look.ts'

/** Starts watching; `onChange` is called after every look. `startsAt` is what the page was printed with. */
export function watchSale(saleId: SaleId, startsAt: number, onChange: () => void) {
  let pointer: Pointer | undefined
  let countdown: Countdown | undefined
  let unitsAt = 0
  let failures = 0
  let timer = 0
  let looking = false
  const clock = shopClock(localNow)

  const now = clock.now
  const seen = () => {
    if (pointer === undefined) return undefined
    return { pointer, countdown: countdown?.version === pointer.version ? countdown : undefined }
  }
  // A phone an hour fast would call every sale ended, so without the shop's time the pointer alone
  // says what the sale is.
  const phase = (remaining: Available) => {
    const state = seen()
    if (state === undefined) return undefined
    return clock.asked() ? phaseSeen(state, now(), remaining) : publishedPhase(state.pointer, remaining)
  }

  const preloaded = (sample: ClockSample) =>
    preloadedSample(sample, performance.timeOrigin, timingOf(`/${pointerPath(saleId)}`))

  const takeLook = async () => {
    const fresh = await lookAtPointer(fetch, saleId)
    if (fresh === undefined) return false
    const isPreloaded = pointer === undefined && failures === 0
    clock.take(fresh.clock && isPreloaded ? preloaded(fresh.clock) : fresh.clock)
    // Two edges of a CDN may disagree for a moment; what was once seen is never taken back.
    if (fresh.pointer.version >= (pointer?.version ?? 0)) pointer = fresh.pointer
    const { phase, remaining, at } = pointer ?? fresh.pointer
    if (phase === 'open' && remaining !== 0) unitsAt = Math.max(unitsAt, at)
    return true
  }

  const takeCountdown = async ({ version, src }: Pointer) => {
    if (countdown?.version === version) return true
    onChange()
    countdown = (await loadCountdown(src)) ?? countdown
    return countdown?.version === version
  }

  const look = async () => {
    if (looking) return
    looking = true
    clearTimeout(timer)
    const isWhole = (await takeLook()) && pointer !== undefined && (await takeCountdown(pointer))
    failures = isWhole ? 0 : failures + 1
    looking = false
    onChange()
    timer = window.setTimeout(look, nextPollMs(pollFacts(), Math.random()))
  }

  const pollFacts = () => {
    const start = pointer === undefined ? startsAt : startSeen(pointer, now())
    return {
      phase: phase(pointer?.remaining ?? 0),
      armed: isArmed(seen(), start),
      now: now(),
      startsAt: start,
      nextStartsAt: pointer?.nextStartsAt ?? null,
      hidden: document.hidden,
      failures,
    }
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    clock.doubt()
    void look()
  })
  void look()
  return {
    /** The shop's time, epoch ms. */
    now,
    seen,
    /** What a click says that the page has seen (core/gate/seen-version.ts). */
    seenText: () => seenText(pointer?.version ?? 0, unitsAt),
    /** The phase at `now()` with `remaining` units left; undefined while there is no pointer. */
    phase,
    /** Whether an answer of the shop came: before that, `now()` is the device's own. */
    hasTime: clock.asked,
    offline: () => failures > 1 || !navigator.onLine,
    /** Looks at once instead of at the next turn, also beside a look that a lost connection may never answer. */
    refresh(): void {
      looking = false
      void look()
    },
  }
}

/** The first request for `path` that the browser has timed. */
function timingOf(path: string): RequestTiming | undefined {
  const [entry] = performance.getEntriesByName(new URL(path, location.href).href)
  return entry instanceof PerformanceResourceTiming ? entry : undefined
}
