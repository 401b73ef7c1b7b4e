/**
 * Gives whoever acts in the simulation its chance from the seed where it draws of the platform's own. Everybody else in
 * the process keeps the real one.
 */
import { acting } from './actor.ts'

/** Puts `draw` in the place of `Math.random`, until the returned function is called. */
export function seededChance(draw: () => number): () => void {
  const { random } = Math
  Math.random = () => (acting.getStore() === undefined ? random() : draw())
  return () => {
    Math.random = random
  }
}
