/** Polls the pointer and the countdown of a sale from the CDN (C3), and the shop's clock with them. */
import { seenText } from '../../core/gate/seen-version.ts'
import type { SaleId } from '../../core/ids.ts'
import { isArmed, pagePhase, pageStart } from '../../core/sale/page-phase.ts'
import type { Available } from '../../core/sale/phase.ts'
import { type Countdown, type Pointer, pointerPath } from '../../core/sale/pointer.ts'
import { nextPollMs } from '../../core/sale/pointer-poll.ts'
import { type ClockSample, localNow, shopClock } from '../../web/clock.ts'
import { fetchPointer, loadCountdown, preloadedSample, type RequestTiming } from './load-state.ts'
import { publishedPhase } from './phase-seen.ts'

/** Starts polling. `onChange` is called after each poll. `startsAt` is the start in the page's markup. */
export function pollSale(saleId: SaleId, startsAt: number, onChange: () => void) {
  let pointer: Pointer | undefined
  let countdown: Countdown | undefined
  let unitsAt = 0
  let failures = 0
  let timer = 0
  let isPolling = false
  const clock = shopClock(localNow)

  const now = clock.now
  const seen = () => {
    if (pointer === undefined) return undefined
    return { pointer, countdown: countdown?.version === pointer.version ? countdown : undefined }
  }
  // The device's clock may be hours off, so without the shop's time the published phase counts.
  const phase = (remaining: Available) => {
    const state = seen()
    if (state === undefined) return undefined
    return clock.asked() ? pagePhase(state, now(), remaining) : publishedPhase(state.pointer, remaining)
  }

  const preloaded = (sample: ClockSample) =>
    preloadedSample(sample, performance.timeOrigin, timingOf(`/${pointerPath(saleId)}`))

  const readPointer = async () => {
    const fresh = await fetchPointer(fetch, saleId)
    if (fresh === undefined) return false
    const isPreloaded = pointer === undefined && failures === 0
    clock.take(fresh.clock && isPreloaded ? preloaded(fresh.clock) : fresh.clock)
    // Two edges of a CDN may disagree for a moment. The newer version wins.
    if (fresh.pointer.version >= (pointer?.version ?? 0)) pointer = fresh.pointer
    const { phase, remaining, at } = pointer ?? fresh.pointer
    if (phase === 'open' && remaining !== 0) unitsAt = Math.max(unitsAt, at)
    return true
  }

  const readCountdown = async ({ version, src }: Pointer) => {
    if (countdown?.version === version) return true
    onChange()
    countdown = (await loadCountdown(src)) ?? countdown
    return countdown?.version === version
  }

  const poll = async () => {
    if (isPolling) return
    isPolling = true
    clearTimeout(timer)
    const isComplete = (await readPointer()) && pointer !== undefined && (await readCountdown(pointer))
    failures = isComplete ? 0 : failures + 1
    isPolling = false
    onChange()
    timer = window.setTimeout(poll, nextPollMs(pollFacts(), Math.random()))
  }

  const pollFacts = () => {
    const start = pointer === undefined ? startsAt : pageStart(pointer, now())
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
    void poll()
  })
  void poll()
  return {
    /** Returns the shop's time, epoch ms. */
    now,
    seen,
    /** Returns the newest pointer that the page has read, for a click (core/gate/seen-version.ts). */
    seenText: () => seenText(pointer?.version ?? 0, unitsAt),
    /** Returns the phase at `now()` with `remaining` units; undefined without a pointer. */
    phase,
    /** True once an answer arrived. Before that, `now()` is the device's clock. */
    hasTime: clock.asked,
    offline: () => failures > 1 || !navigator.onLine,
    /** Polls at once, even if a poll is in progress, whose connection may be lost. */
    refresh(): void {
      isPolling = false
      void poll()
    },
  }
}

/** Returns the timing of the first request for `path`. */
function timingOf(path: string): RequestTiming | undefined {
  const [entry] = performance.getEntriesByName(new URL(path, location.href).href)
  return entry instanceof PerformanceResourceTiming ? entry : undefined
}
