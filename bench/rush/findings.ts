/** Collects the violations that a verdict finds. */

export type Must = (holds: boolean, says: string) => void

export function openFindings(): { violations: string[]; must: Must } {
  const violations: string[] = []
  return {
    violations,
    must(holds, says) {
      if (!holds) violations.push(says)
    },
  }
}

/** The first few names of many, for a line. */
export function someOf(names: readonly string[]): string {
  return names.slice(0, 3).join(', ')
}

/** The orders that are wrong. */
export function namesOf<T extends { orderId: string }>(
  orders: readonly T[],
  isWrong: (order: T) => boolean,
): string[] {
  return orders.filter(isWrong).map(({ orderId }) => orderId)
}
