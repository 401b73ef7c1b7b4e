/**
 * Makes timers of the platform follow virtual time inside the simulation. Code outside it keeps the
 * real ones.
 */
import { acting, type SimulatedActor } from './actor.ts'

type SetAlarm = (milliseconds: number, owner: SimulatedActor, ring: () => void) => () => void

/** The handle of a virtual timer. */
class VirtualTimer {
  readonly stop: () => void
  constructor(stop: () => void) {
    this.stop = stop
  }
}

/** Replaces the platform's timers by virtual ones until the returned function is called. */
export function replaceTimers(set: SetAlarm): () => void {
  const { setTimeout, clearTimeout } = globalThis
  const replaced = (run: () => void, milliseconds = 0) => {
    const actor = acting.getStore()
    return actor === undefined ? setTimeout(run, milliseconds) : new VirtualTimer(set(milliseconds, actor, run))
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
