/** The rule of DynamoDB for transactions that overlap. The local one does one transaction after another. */
import type { Table } from '../../functions/lib/shop/shop.ts'
import { commandJson, conflict, onWire } from '../../proof/simulation/dynamodb/wire.ts'

/** The key of an item in JSON, of a command or on the wire. */
const key = /"pk":(?:\{"S":)?"([^"]*)"\}?,"sk":(?:\{"S":)?"([^"]*)"/g

/** A table whose transactions occupy their items until their answer: what overlaps with one is cancelled. */
export function overlappingTable(table: Table): Table {
  const overlapping = trackOverlapping()
  return onWire(table, async (name, send, command) => {
    if (!name.startsWith('transact')) return send()
    const items = [...commandJson(command).matchAll(key)].map(([, pk, sk]) => `${pk} ${sk}`)
    const isRead = name.startsWith('transact get')
    const transaction = isRead ? overlapping.beginRead(items) : overlapping.beginWrite(items)
    const hasConflict = () => transaction.conflicts().includes(true)
    try {
      await new Promise((resolve) => setImmediate(resolve))
      if (!isRead && hasConflict()) throw conflict()
      const answer = await send()
      if (hasConflict()) throw conflict()
      return answer
    } finally {
      transaction.end()
    }
  })
}

/**
 * A transaction under way: the conflict of each of its items, in their order, and its end. It cancels what overlaps
 * with it as DynamoDB does
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling).
 * Between two writing transactions the earlier one wins. A reading transaction loses against every write and cancels
 * none.
 */
type UnderWay = { conflicts: () => readonly boolean[]; end: () => void }

type Overlapping = {
  /** A transaction that is cancelled occupies its items without a conflict until its end, too. */
  beginWrite: (items: readonly string[]) => UnderWay
  beginRead: (items: readonly string[]) => UnderWay
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
  }
}
