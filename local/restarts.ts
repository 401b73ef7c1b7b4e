/**
 * Starts parts again that end by themselves, so that the system stays up as it does in the cloud. A part that keeps
 * ending is given up.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** A part that ends more often than this within the time is not started again. */
export const restartLimit = { times: 5, withinMs: 60_000 } as const

export type Restarts = {
  /**
   * Takes note that a part has ended. `again` starts it at its old address, and resolves with what that means in a
   * sentence; null for a part that cannot be started again.
   */
  ended(part: string, why: string, again: StartAgain | null): void
  /** Starts no part again from now on, and waits for one that is being started. */
  stop(): Promise<void>
}

export type StartAgain = () => Promise<string>

export type RestartsOptions = {
  log(line: string): void
  /** Called with a part that is not started again. */
  gaveUp(part: string): void
  /** Milliseconds. Default: the clock of this machine. */
  now?: () => number
  /** Waits after a start that failed, as its port may be in use for a moment. */
  pause?: () => Promise<unknown>
}

const shortPause = () => sleep(500, undefined, { ref: false })

export function openRestarts({ log, gaveUp, now = Date.now, pause = shortPause }: RestartsOptions): Restarts {
  const ends = new Map<string, number[]>()
  const starting = new Set<Promise<void>>()
  let stopped = false

  const isTooOften = (part: string): boolean => {
    const recent = [...(ends.get(part) ?? []), now()].filter((at) => at > now() - restartLimit.withinMs)
    ends.set(part, recent)
    return recent.length > restartLimit.times
  }
  const ended: Restarts['ended'] = (part, why, again) => {
    if (stopped) return
    log(`${part} has ended by itself: ${why}`)
    const tooOften = `it ended more than ${restartLimit.times} times in ${restartLimit.withinMs / 1000} s.`
    if (again === null) return giveUp(part, 'its data was in memory only.')
    if (isTooOften(part)) return giveUp(part, tooOften)
    const start = tryAgain(part, again)
    starting.add(start)
    void start.finally(() => starting.delete(start))
  }
  const giveUp = (part: string, why: string) => {
    log(`${part} is not started again: ${why} Remove the cause, and start the system again.`)
    gaveUp(part)
  }
  const tryAgain = async (part: string, again: StartAgain) => {
    try {
      log(`${part} runs again: ${await again()}`)
    } catch (failure) {
      await pause()
      ended(part, failure instanceof Error ? failure.message : String(failure), again)
    }
  }

  return {
    ended,
    async stop() {
      stopped = true
      await Promise.all(starting)
    },
  }
}
