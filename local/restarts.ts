/**
 * Restarts parts that end by themselves, so that the system stays up as in the cloud. Gives up on a part that ends too
 * often.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** A part that ends more often than this within the time is not restarted. */
export const restartLimit = { times: 5, withinMs: 60_000 } as const

export type Restarts = {
  /**
   * Reports that a part has ended. `again` restarts it at its old address, and resolves with a sentence for the log;
   * null for a part that cannot be restarted.
   */
  ended(part: string, why: string, again: StartAgain | null): void
  /** Stops restarting parts, and waits for current restarts. */
  stop(): Promise<void>
}

export type StartAgain = () => Promise<string>

export type RestartsOptions = {
  log(line: string): void
  /** Called with a part that is not restarted. */
  gaveUp(part: string): void
  /** Returns milliseconds. Default: the clock of this machine. */
  now?: () => number
  /** Waits after a failed start, because its port may be in use for a moment. */
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
