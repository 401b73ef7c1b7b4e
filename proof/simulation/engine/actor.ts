/**
 * The actors: people and schedules, which last for the whole run, and invocations, which can be
 * killed at any step.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * A frozen invocation takes no step before `frozenUntil`. `died` is called when it is killed, for
 * the caller that waits.
 */
export type SimulatedActor = { name: string; mortal: boolean; alive: boolean; frozenUntil: number; died: () => void }

export function lastingActor(name: string): SimulatedActor {
  return { name, mortal: false, alive: true, frozenUntil: 0, died: () => undefined }
}

export function invocation(name: string, died: () => void): SimulatedActor {
  return { name, mortal: true, alive: true, frozenUntil: 0, died }
}

/**
 * Follows every promise and timer, so that a port called deep inside a use case knows its actor.
 */
export const acting = new AsyncLocalStorage<SimulatedActor>()
