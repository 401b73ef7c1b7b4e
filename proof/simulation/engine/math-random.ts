/**
 * Makes `Math.random` follow the seed inside the simulation. Code outside it keeps the real one.
 */
import { acting } from './actor.ts'

/** Replaces `Math.random` by `draw` until the returned function is called. */
export function replaceMathRandom(draw: () => number): () => void {
  const { random } = Math
  Math.random = () => (acting.getStore() === undefined ? random() : draw())
  return () => {
    Math.random = random
  }
}
