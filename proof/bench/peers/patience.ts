/**
 * How long the comparison with other projects waits. A system that does not end costs its lane of that round, and the
 * lanes of the others count.
 */
import { within } from '../../../functions/lib/within.ts'
import type { MeasuredSystem } from './measured-system.ts'

/** Until all clicks were answered, and until all orders are in the database, ms: ten times what a busy machine took. */
export const partWithinMs = 120_000

/** A lane of a round, from the sign-in of its buyers to its rest, ms. */
const laneWithinMs = 300_000

/** Minutes after which no lane begins, unless the command names others. */
export const usualPatience = 60

/** `when` names the round; `why` is a sentence without its full stop. */
export type PeerFailure = { when: string; why: string }

export type Attempts = {
  /** The result of `work` for the system, or undefined when it failed, which is then one of its failures. */
  attempt<T>(system: MeasuredSystem, when: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>
  failuresOf(system: MeasuredSystem): readonly PeerFailure[]
}

type Patience = { minutes: number; print: (line: string) => void; laneMs?: number }

/**
 * Attempts that begin within `minutes` from now. `work` must end when its signal is aborted: a system that recovers must
 * not be asked by it any more.
 */
export function openAttempts({ minutes, print, laneMs = laneWithinMs }: Patience): Attempts {
  const until = performance.now() + 60_000 * minutes
  const failures = new Map<MeasuredSystem, PeerFailure[]>()
  const note = (system: MeasuredSystem, when: string, why: string) => {
    failures.set(system, [...(failures.get(system) ?? []), { when, why }])
    print(`${when}, ${system.name}: FAILED: ${why}`)
  }
  return {
    async attempt(system, when, work) {
      if (performance.now() > until) {
        note(system, when, `the ${minutes} minutes were over`)
        return undefined
      }
      const ending = new AbortController()
      try {
        return await within(laneMs, work(ending.signal))
      } catch (failure) {
        ending.abort()
        note(system, when, await afterRecovery(system, reasonOf(failure)))
        return undefined
      }
    },
    failuresOf: (system) => failures.get(system) ?? [],
  }
}

/** The reason, and that of a recovery that failed as well: the next attempt then fails, too, or shows that it works. */
async function afterRecovery(system: MeasuredSystem, why: string): Promise<string> {
  try {
    await system.recover()
    return why
  } catch (failure) {
    return `${why}; it did not recover: ${reasonOf(failure)}`
  }
}

/** A process reports the stack of an error, of which the first line says what happened. */
function reasonOf(failure: unknown): string {
  const text = failure instanceof Error ? failure.message : String(failure)
  return (text.split('\n', 1)[0] ?? '').replace(/^(?:[A-Za-z]*Error: )+/, '')
}
