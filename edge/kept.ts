/**
 * What this instance keeps of the store in its memory, so that a click costs no network (G3).
 *
 * - It is at most one second old when a reader asks, or younger where the reader wants that. From half a second on, the next
 *   reader starts a refresh in the background and is answered at once; past one second it waits for the refresh.
 * - What a reader waits for counts for that reader, however long it took: the deadline of the store's client bounds it.
 *   Otherwise an instance far from the store, whose first read takes several round trips, would never get to know anything.
 * - One read is under way at a time, whatever the crowd. A failed read is not tried again for a quarter of a second,
 *   so a unavailable store is asked four times a second and found again as soon as it is back.
 *
 * Lambda freezes an instance between two requests, and a background refresh with it. The reader that meets
 * such a refresh after the thaw may see it fail on an expired timer, or succeed with an old answer. It therefore
 * never takes a background refresh's word for outage: it reads once itself.
 */

export type Source<T> = {
  read(): Promise<T>
  /** What to go by when the store does not answer and memory is too old. */
  readonly unavailable: T
  /** Whether `value` is asked for again and again, so that a refresh should come before anybody has to wait for it. */
  isInDemand(value: T): boolean
}

export type Kept<T> = {
  /**
   * The value as it was at most `withinMs` before now (a second, when left out); a promise only when memory cannot say and
   * the store must be asked.
   */
  look(withinMs?: number): T | Promise<T>
}

const maxAgeMs = 1000
const refreshFromMs = 500
/**
 * No refresh begins so soon after an answer. Far from the store an answer is due when it comes, and a refresh would hold the
 * only open connection while the click that waited needs it for its admission.
 */
const restMs = 250
/** Least time between two reads while reads fail. */
const retryEveryMs = 250

/** `done` says whether the read succeeded. */
type Flight = { done: Promise<boolean>; askedAt: number; background: boolean }

/** `clock` gives epoch ms. A failed read is told to `onFailure`, at most four times a second. */
export function keep<T>(
  source: Source<T>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): Kept<T> {
  let value = source.unavailable
  /** When the value was asked for: the answer cannot be older than that. */
  let readAt = Number.NEGATIVE_INFINITY
  /** When an answer came that a click waited for. */
  let arrivedAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let flight: Flight | undefined

  async function read(askedAt: number, background: boolean): Promise<boolean> {
    try {
      value = await source.read()
      readAt = askedAt
      if (!background) arrivedAt = clock()
      return true
    } catch (error) {
      // A question that ran into its timeout was begun long ago; one that was frozen says nothing about now.
      failedAt = background ? askedAt : clock()
      onFailure(error)
      return false
    }
  }

  function startRead(background: boolean): Flight {
    const askedAt = clock()
    const done = read(askedAt, background).finally(() => {
      flight = undefined
    })
    flight = { done, askedAt, background }
    return flight
  }

  // A clock that was set back would make the value look new for ever; a negative age is as good as too old.
  const isFresh = (now: number, withinMs: number) => now >= readAt && now - readAt <= withinMs
  const mayTry = (now: number) => now < failedAt || now - failedAt >= retryEveryMs

  /** For a reader who asked at `now`. */
  async function settle(now: number, withinMs: number): Promise<T> {
    const joined = flight
    if (joined !== undefined) {
      const hasRead = await joined.done
      if (hasRead && joined.askedAt >= now - withinMs) return value
      if (!hasRead && !joined.background) return source.unavailable
    }
    if (flight === undefined && !mayTry(clock())) return source.unavailable
    return (await (flight ?? startRead(false)).done) ? value : source.unavailable
  }

  return {
    look(withinMs = maxAgeMs) {
      const now = clock()
      if (!isFresh(now, withinMs))
        return flight === undefined && !mayTry(now) ? source.unavailable : settle(now, withinMs)
      const isDue = now - readAt >= refreshFromMs && now - arrivedAt >= restMs && source.isInDemand(value)
      if (isDue && flight === undefined && mayTry(now)) startRead(true)
      return value
    },
  }
}
