/**
 * Asks the shop's time over HTTP and computes how far the local clock is off; and when a waiting
 * page should ask again. The gate answers each of these calls, so a crowd must spread them over
 * time.
 */
import type { Phase } from '../../core/phase.ts'
import { clockOffsetMs, localNow, sampleClock } from './clock.ts'
import { call, type Fetch } from './http.ts'
import { fieldsOf } from './wire.ts'

/** Fresh samples fall between these two moments before the start, each page at its own. */
const resampleFromMs = 30_000
const resampleUntilMs = 10_000

/**
 * `now` and `startsAt` are epoch ms on the shop's clock; `spread`, from 0 up to 1, is fixed per
 * page. `confirmed` is false while `phase` is only what the device's own clock makes of the sale.
 */
type ClockFacts = {
  phase: Phase | undefined
  confirmed: boolean
  now: number
  startsAt: number
  spread: number
}

/** The start (epoch ms) that samples were taken shortly before, or `far` from any. */
type SampledFor = number | 'far'

/** What samples taken now are good for. */
export function sampledFor({ now, startsAt, spread }: Omit<ClockFacts, 'phase' | 'confirmed'>): SampledFor {
  const resampleAt = startsAt - resampleFromMs + spread * (resampleFromMs - resampleUntilMs)
  return now < resampleAt ? 'far' : startsAt
}

/**
 * Whether to ask the shop's time; `before` is what the page's last samples were good for, undefined
 * when it has none. Every page asks when it opens, and a waiting one once more 30 to 10 s before
 * the start, when it matters most; an armed one at its next look, which may be six seconds later. A
 * sale that is over needs no clock, once it is known to be over.
 */
export function clockDue(facts: ClockFacts, before: SampledFor | undefined): boolean {
  const { phase, confirmed } = facts
  const over = phase === 'sold-out' || phase === 'ended' || phase === 'paused'
  if (over && confirmed) return false
  if (before === undefined) return true
  const fresh = sampledFor(facts)
  return phase !== 'open' && fresh !== 'far' && fresh !== before
}

/**
 * What to add to `localNow()` in ms, from `count` samples; undefined when none was answered.
 * `onOffset` gets what is known after each answer.
 */
export async function shopOffsetMs(
  fetch: Fetch,
  count: number,
  onOffset: (offsetMs: number) => void = () => undefined,
): Promise<number | undefined> {
  let offset: number | undefined
  const ask = async () => {
    const reply = await call(fetch, '/api/time', { deadlineMs: 3000 })
    const now = reply.kind === 'ok' ? fieldsOf(reply.body)?.now : undefined
    return typeof now === 'number' ? now : undefined
  }
  await sampleClock(ask, localNow, count, (samples) => {
    offset = clockOffsetMs(samples)
    if (offset !== undefined) onOffset(offset)
  })
  return offset
}
