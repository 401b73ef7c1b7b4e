/** The rule of DynamoDB for transactions that overlap. The local one does one transaction after another. */

/** A transaction under way: the conflict of each of its items, in their order, and its end. */
type UnderWay = { conflicts: () => readonly boolean[]; end: () => void }

type Overlapping = {
  /** A transaction that is cancelled occupies its items without a conflict until its end, too. */
  beginWrite: (items: readonly string[]) => UnderWay
}

/**
 * Tracks transactions that write. The earlier of two with a common item wins, and the later one is cancelled, as in DynamoDB
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling).
 */
export function trackOverlapping(): Overlapping {
  const written = new Set<string>()
  return {
    beginWrite(items) {
      const conflicts = items.map((item) => written.has(item))
      const own = items.filter((_, index) => conflicts[index] !== true)
      for (const item of own) written.add(item)
      return {
        conflicts: () => conflicts,
        end() {
          for (const item of own) written.delete(item)
        },
      }
    },
  }
}
