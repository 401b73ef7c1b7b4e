/**
 * Gets a pass (core/gate/pass.ts) for a page that waits, so that its click needs no second request. The
 * sign-in usually gives one; a crowd without passes asks for them spread over its waiting time.
 */
import { type Pass, passLifeSeconds } from '../../../core/gate/pass.ts'
import type { Phase } from '../../../core/sale/phase.ts'
import type { Countdown } from '../../../core/sale/pointer.ts'

/** How long a pass must last at least after the start and the spread, ms. */
const marginMs = 60_000

/** How long before the start no pass is asked for, ms: then the network belongs to the pointer and the clicks. */
const untilMs = 20_000

/** `get` asks the shop for a pass; `share`, from 0 up to 1, is the page's own place in the crowd. */
type Ports = { get(): void; share: number }

/** `pass` is what the browser has. `now` and `startsAt` are epoch ms on the shop's clock. */
type PassFacts = {
  phase: Phase | undefined
  countdown: Countdown | undefined
  pass: Pass | undefined
  now: number
  startsAt: number
}

/** To be called as often as the page is drawn; asks at most once for each start. */
export function passKeeper({ get, share }: Ports): (facts: PassFacts) => void {
  let seen: { startsAt: number; at: number } | undefined
  let askedFor: number | undefined

  return ({ phase, countdown, pass, now, startsAt }) => {
    if (countdown === undefined || countdown.requirePass === 'off' || askedFor === startsAt) return
    const spreadEndsAt = startsAt + (countdown.spreadSeconds ?? 0) * 1000
    const neededUntil = spreadEndsAt + marginMs
    if (pass !== undefined && pass.expiresAt * 1000 >= neededUntil) return
    if (seen?.startsAt !== startsAt) seen = { startsAt, at: now }
    // An earlier pass would not last so long.
    const from = Math.max(seen.at, neededUntil - passLifeSeconds * 1000)
    const isDue = now >= from + share * Math.max(0, startsAt - untilMs - from)
    // Without a pass the page cannot know its turn.
    const isSpread = phase === 'open' && now < spreadEndsAt
    if (!isSpread && !(phase === 'scheduled' && isDue)) return
    askedFor = startsAt
    get()
  }
}
