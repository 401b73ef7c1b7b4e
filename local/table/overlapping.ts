/**
 * Which items are in a transaction under way, to cancel what overlaps with it as DynamoDB does
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling).
 * Between two writing transactions the earlier one wins. A reading transaction loses against every
 * write and cancels none.
 */

/** A transaction under way: the conflict of each of its items, in their order, and its end. */
export type UnderWay = { conflicts: () => readonly boolean[]; end: () => void }

export type Overlapping = {
  /** A transaction that is cancelled occupies its items without a conflict until its end, too. */
  beginWrite: (items: readonly string[]) => UnderWay
  beginRead: (items: readonly string[]) => UnderWay
  /** A write outside of transactions. False when a transaction under way writes the item. */
  mayWrite: (item: string) => boolean
}

type Reading = { items: readonly string[]; conflicts: boolean[] }

export function trackOverlapping(): Overlapping {
  const written = new Set<string>()
  const reading = new Set<Reading>()

  const disturbReaders = (item: string) => {
    for (const { items, conflicts } of reading) {
      items.forEach((read, index) => {
        if (read === item) conflicts[index] = true
      })
    }
  }

  return {
    beginWrite(items) {
      const conflicts = items.map((item) => written.has(item))
      const own = items.filter((_, index) => conflicts[index] !== true)
      for (const item of own) {
        written.add(item)
        disturbReaders(item)
      }
      return {
        conflicts: () => conflicts,
        end() {
          for (const item of own) written.delete(item)
        },
      }
    },
    beginRead(items) {
      const mine = { items, conflicts: items.map((item) => written.has(item)) }
      reading.add(mine)
      return { conflicts: () => mine.conflicts, end: () => void reading.delete(mine) }
    },
    mayWrite(item) {
      if (written.has(item)) return false
      disturbReaders(item)
      return true
    },
  }
}
