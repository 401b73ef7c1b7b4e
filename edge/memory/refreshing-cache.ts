/**
 * A value from the store, kept in memory and refreshed ahead of need, so that a request costs no network (G3).
 *
 * - A value is good for a time that its source names, or for less where the caller requires it.
 *   Shortly before the end of that time the next call starts a refresh in the background and
 *   returns at once; after that time it waits for the refresh.
 * - A value that a request waited for is good for that request, however long the read took: the
 *   timeout of the store's client limits it. Otherwise an instance far from the store, whose first
 *   read takes several round trips, would never get a value.
 * - One read runs at a time. A failed read is not repeated for 250 ms, so an unavailable store is
 *   read four times a second, and used again as soon as it answers.
 *
 * Lambda freezes an instance between two requests, and a background refresh with it. After the thaw such a refresh may
 * fail on an expired timer, or return an old value. A request therefore never takes the failure of a background refresh
 * for an unavailable store: it reads once itself.
 */

export type Source<T> = {
  read(): Promise<T>
  /** The value to use when the store does not answer and memory is too old. */
  readonly unavailable: T
  /** True when `value` is used so often that it is worth refreshing ahead of need. */
  isInDemand(value: T): boolean
  /** How long `value` is good from the start of its read at `readAt` (epoch ms), ms. */
  goodForMs(value: T, readAt: number): number
}

export type RefreshingCache<T> = {
  /** The value, at most `withinMs` old, by default its source's age; a promise only when the store must be read. */
  get(withinMs?: number): T | Promise<T>
}

/** How long facts that let requests pass are good, ms (G3). */
export const maxAgeMs = 1000
/**
 * How long before a value is too old its refresh may start, ms: about the longest round trip to a
 * store on another continent. Up to an eighth of the value's time is added at random, so that the
 * instances of a crowd do not read together.
 */
const refreshAheadMs = 250
const jitter = 1 / 8
/**
 * Least time from an answer to the next refresh. Far from the store a value is due for a refresh when it arrives, and
 * that refresh would hold the only open connection while the waiting request needs it for its admission.
 */
const restMs = 250
/** Least time between two reads while reads fail. */
const retryEveryMs = 250

/** `done` resolves to whether the read succeeded. */
type Flight = { done: Promise<boolean>; askedAt: number; background: boolean }

/** `clock` gives epoch ms. `onFailure` is called with every failed read, at most four times a second. */
export function createRefreshingCache<T>(
  source: Source<T>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): RefreshingCache<T> {
  let value = source.unavailable
  /** When the read of `value` began: the value cannot be older than that. */
  let readAt = Number.NEGATIVE_INFINITY
  let goodMs = 0
  let aheadMs = 0
  /** When the last value arrived that a request waited for. */
  let arrivedAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let flight: Flight | undefined

  async function read(askedAt: number, background: boolean): Promise<boolean> {
    try {
      value = await source.read()
      readAt = askedAt
      goodMs = source.goodForMs(value, readAt)
      aheadMs = refreshAheadMs + goodMs * jitter * Math.random()
      if (!background) arrivedAt = clock()
      return true
    } catch (error) {
      // A read that timed out began long ago; a background read may have been frozen and proves nothing about now.
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

  // After the clock was set back the value has a negative age and would look fresh for ever.
  const isFresh = (now: number, withinMs: number) => now >= readAt && now - readAt <= withinMs
  const mayTry = (now: number) => now < failedAt || now - failedAt >= retryEveryMs

  /** For a call made at `now`. Without `withinMs` the value that is read says how old it may be. */
  async function waitForRead(now: number, withinMs: number | undefined): Promise<T> {
    const underWay = flight
    if (underWay !== undefined) {
      const hasRead = await underWay.done
      if (hasRead && underWay.askedAt >= now - (withinMs ?? goodMs)) return value
      if (!hasRead && !underWay.background) return source.unavailable
    }
    if (flight === undefined && !mayTry(clock())) return source.unavailable
    return (await (flight ?? startRead(false)).done) ? value : source.unavailable
  }

  return {
    get(withinMs) {
      const now = clock()
      if (!isFresh(now, withinMs ?? goodMs)) {
        return flight === undefined && !mayTry(now) ? source.unavailable : waitForRead(now, withinMs)
      }
      const isOld = now - readAt >= Math.max(withinMs ?? 0, goodMs) - aheadMs
      const isDue = isOld && now - arrivedAt >= restMs && source.isInDemand(value)
      if (isDue && flight === undefined && mayTry(now)) startRead(true)
      return value
    },
  }
}
