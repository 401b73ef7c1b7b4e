/**
 * What this instance keeps of the store in its memory, so that a click costs no network (G3).
 *
 * - It is at most one second old, or younger where a reader asks for that. From half a second on, the next reader starts
 *   a refresh in the background and is answered at once; past one second it waits for the refresh.
 * - One read is under way at a time, whatever the crowd. A failed read is not tried again for a quarter of a second,
 *   so a dark store is asked four times a second and found again as soon as it is back.
 *
 * Lambda freezes an instance between two requests, and a background refresh with it. The reader that meets
 * such a refresh after the thaw may see it fail on an expired timer, or succeed with an old answer. It therefore
 * never takes a background refresh's word for darkness: it reads once itself.
 */

export type Source<T> = {
  read(): Promise<T>
  /** What to go by when the store does not answer and memory is too old. */
  readonly dark: T
  /** Whether `value` is asked for again and again, so that a refresh should come before anybody has to wait for it. */
  isInDemand(value: T): boolean
}

export type Kept<T> = {
  /**
   * The value, no older than `withinMs` (a second, when left out); a promise only when memory cannot say and the store must
   * be asked.
   */
  look(withinMs?: number): T | Promise<T>
}

const maxAgeMs = 1000
const refreshFromMs = 500
/** Least time between two reads while reads fail. */
const retryEveryMs = 250

type Flight = { done: Promise<void>; background: boolean }

/** `clock` gives epoch ms. A failed read is told to `onFailure`, at most four times a second. */
export function keep<T>(
  source: Source<T>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): Kept<T> {
  let value = source.dark
  /** When the value was asked for: the answer cannot be older than that. */
  let readAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let flight: Flight | undefined

  async function read(background: boolean): Promise<void> {
    const askedAt = clock()
    triedAt = askedAt
    try {
      value = await source.read()
      readAt = askedAt
    } catch (error) {
      // A question that ran into its timeout was begun long ago; one that was frozen says nothing about now.
      if (!background) triedAt = clock()
      onFailure(error)
    }
  }

  function startRead(background: boolean): Promise<void> {
    const done = read(background).finally(() => {
      flight = undefined
    })
    flight = { done, background }
    return done
  }

  // A clock that was set back would make the value look new for ever; a negative age is as good as too old.
  const isFresh = (now: number, withinMs: number) => now >= readAt && now - readAt <= withinMs
  const mayTry = (now: number) => now < triedAt || now - triedAt >= retryEveryMs

  async function settle(withinMs: number): Promise<T> {
    const joined = flight
    if (joined !== undefined) {
      await joined.done
      if (isFresh(clock(), withinMs)) return value
      if (!joined.background) return source.dark
    }
    if (flight === undefined && !mayTry(clock())) return source.dark
    await (flight?.done ?? startRead(false))
    return isFresh(clock(), withinMs) ? value : source.dark
  }

  return {
    look(withinMs = maxAgeMs) {
      const now = clock()
      if (!isFresh(now, withinMs))
        return flight === undefined && !mayTry(now) ? source.dark : settle(withinMs)
      const isDue = now - readAt >= refreshFromMs && source.isInDemand(value)
      if (isDue && flight === undefined && mayTry(now)) void startRead(true)
      return value
    },
  }
}
