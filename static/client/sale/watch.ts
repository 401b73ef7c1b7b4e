/**
 * Keeps what the page knows of its sale fresh: the pointer, the countdown module it names, and the shop's
 * clock. Everything it fetches to watch is served by the CDN; only the clock is asked of the gate (C3).
 */
import type { Phase } from '../../../core/phase.ts'
import type { Countdown, Pointer } from '../../../core/pointer.ts'
import { localNow } from '../clock.ts'
import { call } from '../http.ts'
import { phaseSeen } from '../phase-seen.ts'
import { eagerBeforeMs, nextPollMs } from '../poll.ts'
import { shopOffsetMs } from '../shop-clock.ts'
import { fieldsOf, readCountdown, readPointer } from '../wire.ts'

export type Watch = {
  /** The shop's time, epoch ms. */
  now(): number
  seen(): { pointer: Pointer; countdown: Countdown | undefined } | undefined
  offline(): boolean
  /** Looks at once instead of at the next turn. */
  refresh(): void
}

const fetch = window.fetch.bind(window)

/** Starts watching; `onChange` is called after every look. `startsAt` is what the page was printed with. */
export function watchSale(saleId: string, startsAt: number, onChange: () => void): Watch {
  let offsetMs = 0
  let pointer: Pointer | undefined
  let countdown: Countdown | undefined
  let failures = 0
  let timer = 0
  let looking = false
  let clockSetFor = ''
  let clockAsked = false

  const now = () => localNow() + offsetMs
  const seen = () => {
    // A phone an hour fast would call every sale ended: without the shop's time nothing is known yet.
    if (pointer === undefined || !clockAsked) return undefined
    return { pointer, countdown: countdown?.version === pointer.version ? countdown : undefined }
  }

  // Samples when the page opens, and fresh ones shortly before the start, when they matter most. A sale that
  // is over needs none.
  const setClock = async (phase: Phase | undefined) => {
    const waits = phase === undefined || phase === 'scheduled' || phase === 'draft'
    if (!waits && phase !== 'open') return
    const start = pointer?.startsAt ?? startsAt
    const reason = `${waits && now() > start - eagerBeforeMs} ${start}`
    if (reason === clockSetFor) return
    clockSetFor = reason
    offsetMs = (await shopOffsetMs(fetch, waits ? 4 : 1)) ?? offsetMs
    clockAsked = true
    onChange()
  }

  const look = async () => {
    if (looking) return
    looking = true
    clearTimeout(timer)
    const reply = await call(fetch, `/sales/${saleId}/current.json`, { deadlineMs: 5000 })
    const fresh = reply.kind === 'ok' ? readPointer(reply.body) : undefined
    failures = fresh === undefined ? failures + 1 : 0
    // Two edges of a CDN may disagree for a moment; what was once seen is never taken back.
    if (fresh !== undefined && fresh.version >= (pointer?.version ?? 0)) pointer = fresh
    if (pointer !== undefined && countdown?.version !== pointer.version) {
      countdown = (await load(pointer.src, failures)) ?? countdown
    }
    looking = false
    onChange()
    const state = seen()
    const phase = state === undefined ? undefined : phaseSeen(state, now(), state.pointer.remaining)
    void setClock(phase)
    const facts = { phase, now: now(), startsAt: pointer?.startsAt ?? startsAt, hidden: document.hidden }
    timer = window.setTimeout(look, nextPollMs(facts, Math.random()))
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    clockSetFor = ''
    void look()
  })
  void look()
  return { now, seen, offline: () => failures > 1, refresh: () => void look() }
}

/** The module at `src`. A browser remembers a failed import by address, so every try has its own fragment. */
async function load(src: string, attempt: number): Promise<Countdown | undefined> {
  try {
    const module: unknown = await import(`${src}#${attempt}-${Math.round(localNow())}`)
    return readCountdown(fieldsOf(module)?.countdown)
  } catch {
    // Not there yet, or the connection broke: the next look tries again.
    return undefined
  }
}
