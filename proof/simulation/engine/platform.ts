/**
 * Makes the platform follow virtual time inside the simulation: its timers, and Web Crypto, which ends on another
 * thread at a time that no seed repeats. Code outside the simulation keeps the real ones.
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

/** Each of these calls is done while everything else stands still. */
const names = ['digest', 'sign', 'verify', 'importKey', 'exportKey'] as const

/** Replaces the functions of Web Crypto until the returned function is called; `aside` does the real work. */
export function replaceSubtle(aside: (run: () => Promise<unknown>) => Promise<unknown>): () => void {
  const { subtle } = globalThis.crypto
  for (const name of names) {
    const real = (subtle[name] as (...args: unknown[]) => Promise<unknown>).bind(subtle)
    const value = (...args: unknown[]) => (acting.getStore() === undefined ? real(...args) : aside(() => real(...args)))
    Object.defineProperty(subtle, name, { value, configurable: true })
  }
  return () => {
    for (const name of names) Reflect.deleteProperty(subtle, name)
  }
}
