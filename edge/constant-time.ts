/** Compares secrets. Also for texts of any client: those of other bytes or another length are not equal. */
import { timingSafeEqual } from 'node:crypto'

/** True when both texts are the same, in a time that does not depend on where they differ. */
export function isSameSecret(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
