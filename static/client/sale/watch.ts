/**
 * Keeps what the page knows of its sale fresh: the pointer, the countdown module it names, and the
 * shop's clock. Everything it fetches to watch is served by the CDN; only the clock is asked of the
 * gate (C3).
 */
import type { SaleId } from '../../../core/ids.ts'
import type { Available, Phase } from '../../../core/phase.ts'
import { type Countdown, type Pointer, pointerPath } from '../../../core/pointer.ts'
import { nextPollMs } from '../../../core/pointer-poll.ts'
import { isArmed } from '../armed.ts'
import { localNow } from '../clock.ts'
import { loadCountdown } from '../countdown.ts'
import { call } from '../http.ts'
import { pageClock } from '../page-clock.ts'
import { phaseSeen, publishedPhase } from '../phase-seen.ts'
import { shopOffsetMs } from '../shop-clock.ts'
import { startSeen } from '../window-seen.ts'
import { readPointer } from '../wire.ts'

type Watch = {
  /** The shop's time, epoch ms. */
  now(): number
  seen(): { pointer: Pointer; countdown: Countdown | undefined } | undefined
  /** The phase at `now()` with so many units left; undefined while there is no pointer. */
  phase(remaining: Available): Phase | undefined
  /** Whether the shop's time was asked for: before that, `now()` is the device's own. */
  hasTime(): boolean
  /** Whether the shop cannot be reached. */
  offline(): boolean
  /** Looks at once instead of at the next turn. */
  refresh(): void
}

const fetch = window.fetch.bind(window)

/**
 * Starts watching; `onChange` is called after every look. `startsAt` is what the page was printed
 * with.
 */
export function watchSale(saleId: SaleId, startsAt: number, onChange: () => void): Watch {
  let pointer: Pointer | undefined
  let countdown: Countdown | undefined
  let failures = 0
  let timer = 0
  let looking = false
  const sample = (count: number, onOffset: (offsetMs: number) => void) => shopOffsetMs(fetch, count, onOffset)
  const clock = pageClock({ localNow, sample, random: Math.random })

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
  const phaseNow = () => phase(pointer?.remaining ?? 0)

  const startNow = () => (pointer === undefined ? startsAt : startSeen(pointer, now()))

  const setClock = async (phase: Phase | undefined) => {
    const facts = { phase, published: pointer?.phase, startsAt: startNow() }
    if (await clock.set(facts)) onChange()
  }

  const look = async () => {
    if (looking) return
    looking = true
    clearTimeout(timer)
    const reply = await call(fetch, `/${pointerPath(saleId)}`, { deadlineMs: 5000 })
    const fresh = reply.kind === 'ok' ? readPointer(reply.body) : undefined
    failures = fresh === undefined ? failures + 1 : 0
    // Two edges of a CDN may disagree for a moment; what was once seen is never taken back.
    if (fresh !== undefined && fresh.version >= (pointer?.version ?? 0)) pointer = fresh
    // The first time the shop's clock is asked while the countdown is on its way.
    if (pointer !== undefined && !clock.asked()) void setClock(undefined)
    if (pointer !== undefined && countdown?.version !== pointer.version) {
      onChange()
      countdown = (await loadCountdown(pointer.src)) ?? countdown
    }
    looking = false
    onChange()
    const phase = phaseNow()
    void setClock(clock.asked() ? phase : undefined)
    const times = { now: now(), startsAt: startNow(), nextStartsAt: pointer?.nextStartsAt ?? null }
    const facts = { phase, armed: isArmed(seen(), times.startsAt), ...times, hidden: document.hidden }
    timer = window.setTimeout(look, nextPollMs(facts, Math.random()))
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    clock.doubt()
    void look()
  })
  void look()
  return {
    now,
    seen,
    phase,
    hasTime: clock.asked,
    offline: () => failures > 1 || !navigator.onLine,
    refresh: () => void look(),
  }
}
