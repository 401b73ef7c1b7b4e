/** Who acts: people and schedules, who live through everything, and invocations, which can die at any step. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** An invocation that is `frozenUntil` a time takes no step before it. `died` tells whoever waits for its answer. */
export type Actor = {
  name: string
  mortal: boolean
  alive: boolean
  frozenUntil: number
  died: () => void
}

export function person(name: string): Actor {
  return { name, mortal: false, alive: true, frozenUntil: 0, died: () => undefined }
}

export function invocation(name: string, died: () => void): Actor {
  return { name, mortal: true, alive: true, frozenUntil: 0, died }
}

/** Follows every promise and timer, so that a port called deep inside a use case knows for whom. */
export const acting = new AsyncLocalStorage<Actor>()
