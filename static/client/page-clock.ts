/**
 * The shop's time as one page holds it. Until the shop has answered, the page has only its device's
 * clock, which may be hours off: it goes on asking, and what that clock alone says of the sale is
 * not taken for the truth.
 */
import type { Phase } from '../../core/phase.ts'
import { clockDue, sampledFor } from './shop-clock.ts'

/**
 * A try that was not answered is followed by another this much later at the earliest, up to twice
 * as much.
 */
const againMs = 5000

/**
 * `localNow` is the device's epoch ms; `sample` is what to add to it, from `count` answers, and
 * `onOffset` gets what is known after each of them (shop-clock.ts).
 */
type Ports = {
  localNow(): number
  sample(count: number, onOffset: (offsetMs: number) => void): Promise<number | undefined>
  random(): number
}

/**
 * `published` is the phase in the pointer, `phase` what the page makes of it; undefined without a
 * pointer.
 */
type Facts = { phase: Phase | undefined; published: Phase | undefined; startsAt: number }

/** A clock that starts as the device's own. */
export function pageClock({ localNow, sample, random }: Ports) {
  const spread = random()
  let offsetMs = 0
  let sampled: ReturnType<typeof sampledFor> | undefined
  let answered = false
  let asked = false
  let asking = false
  let quietUntil = 0

  const now = () => localNow() + offsetMs

  return {
    /** The shop's time, epoch ms, as well as the page knows it. */
    now,
    /**
     * Whether the shop has answered, or a whole try was lost: until then nothing is known but what
     * the pointer says.
     */
    asked: () => asked,
    /** The device may have slept: the next turn samples the clock again. */
    doubt(): void {
      sampled = undefined
    },
    /** Asks the shop when that is due; false when it was not. */
    async set({ phase, published, startsAt }: Facts): Promise<boolean> {
      const facts = () => ({
        phase,
        confirmed: answered || phase === published,
        now: now(),
        startsAt,
        spread,
      })
      if (asking || localNow() < quietUntil || !clockDue(facts(), sampled)) return false
      asking = true
      const heed = (offset: number) => {
        offsetMs = offset
        asked = true
      }
      const offset = await sample((phase ?? published) === 'open' ? 1 : 4, heed)
      asking = false
      asked = true
      if (offset === undefined) {
        quietUntil = localNow() + againMs * (1 + random())
        return true
      }
      offsetMs = offset
      answered = true
      // Only now is it known how near the start really is: the device's own clock may be hours off.
      sampled = sampledFor(facts())
      return true
    },
  }
}
