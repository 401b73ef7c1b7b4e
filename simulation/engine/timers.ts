/**
 * Gives whoever acts in the simulation its virtual time where it sets a timer of the platform by itself. Everybody
 * else in the process keeps the real ones.
 */
import { type Actor, acting } from './actor.ts'

type SetAlarm = (milliseconds: number, owner: Actor, ring: () => void) => () => void

/** Stands in for a timer until it is cleared. */
class VirtualTimer {
  readonly stop: () => void
  constructor(stop: () => void) {
    this.stop = stop
  }
}

/** Puts virtual timers in the place of the real ones, until the returned function is called. */
export function virtualTimers(set: SetAlarm): () => void {
  const { setTimeout, clearTimeout } = globalThis
  const replaced = (run: () => void, milliseconds = 0) => {
    const actor = acting.getStore()
    return actor === undefined
      ? setTimeout(run, milliseconds)
      : new VirtualTimer(set(milliseconds, actor, run))
  }
  const clear = (timer: unknown) => {
    if (timer instanceof VirtualTimer) timer.stop()
    else clearTimeout(timer as NodeJS.Timeout)
  }
  Object.assign(globalThis, { setTimeout: replaced, clearTimeout: clear })
  return () => {
    Object.assign(globalThis, { setTimeout, clearTimeout })
  }
}
